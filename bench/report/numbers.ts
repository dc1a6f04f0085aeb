import type { Figure } from './outcome.ts'

/** A number with three digits that count, and commas between thousands. */
export function toText(value: number): string {
  if (!Number.isFinite(value)) return '–'
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

/** A ratio, such as `0.93`. */
export function toRatioText(value: number): string {
  return Number.isFinite(value) ? value.toFixed(2) : '–'
}

/** A figure with how far its rounds are apart, where there were several. */
export function withSpread({ median, least, most }: Figure, write = toText): string {
  if (least === most) return write(median)
  return `${write(median)} (${write(least)} to ${write(most)})`
}
