/** A figure that was measured several times. */
export interface Figure {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** Summarizes the values of several rounds. */
export function toFigure(values: readonly number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [below, above] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]]
  return {
    median: ((below ?? Number.NaN) + (above ?? Number.NaN)) / 2,
    least: sorted[0] ?? Number.NaN,
    most: sorted.at(-1) ?? Number.NaN,
  }
}

/** Divides round by round, so that what slows both down changes nothing. */
export function toRatio(values: readonly number[], others: readonly number[]): Figure {
  return toFigure(values.map((value, round) => value / (others[round] ?? Number.NaN)))
}

/** Writes a number with three significant digits, and commas between thousands. */
export function toText(value: number): string {
  if (!Number.isFinite(value)) {
    return '–'
  }
  if (Math.abs(value) >= 100) {
    return Math.round(value).toLocaleString('en-US')
  }
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}
