import { median } from '../statistics.ts'

/** A figure that was taken several times: the one in the middle, and the farthest on both sides. */
export interface Figure {
  readonly median: number
  readonly least: number
  readonly most: number
}

/** Sums up what was measured in several rounds. */
export function toFigure(values: readonly number[]): Figure {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) }
}

/** How much of others some figures are, round by round: what changes for both changes nothing. */
export function toRatio(values: readonly number[], others: readonly number[]): Figure {
  return toFigure(values.map((value, round) => value / (others[round] ?? Number.NaN)))
}

/** What a ratio may be at most, and what it is. */
export interface Target {
  readonly what: string
  readonly atMost: number
  readonly measured: Figure
}

/** Bars that are compared with each other. */
export interface BarGroup {
  readonly title: string
  readonly bars: readonly Bar[]
}

export interface Bar {
  readonly name: string
  readonly figure: Figure
  /** Whether it is that of the service. */
  readonly isOurs: boolean
}

export interface Table {
  readonly title: string
  /** What was done, for whoever wants to know what the figures mean. */
  readonly note: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What a part of the run has found. */
export interface Outcome {
  readonly targets: readonly Target[]
  readonly bars: readonly BarGroup[]
  readonly tables: readonly Table[]
  /** Every figure that was taken, as it was. */
  readonly raw: unknown
}
