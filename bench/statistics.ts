/** The value that a share of the values does not exceed; `share` is from 0 to 1. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** The value in the middle, or what is between the two that are there. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [below, above] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2
}

/** All values together. */
export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
