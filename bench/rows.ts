import { type Figure, toFigure, toRatio } from './statistics.ts'

/** A row of the table. */
export interface Row {
  readonly what: string
  readonly unit: 'µs CPU' | 'ms' | 's' | 'per second' | 'MiB' | '×'
  readonly figure: Figure
  /** The target of a row that has one: the highest or the lowest median that meets it. */
  readonly atMost?: number
  readonly atLeast?: number
}

/** A part of the run; a quick one shows that it works, with figures that mean little. */
export type Part = (isQuick: boolean) => Promise<Row[]>

type Values = readonly number[]

/** Returns the row of a figure without a target. */
export function toRow(what: string, unit: Row['unit'], values: Values): Row {
  return { what, unit, figure: toFigure(values) }
}

/** Returns the row of a ratio, with its target. */
export function compare(what: string, own: Values, others: Values, atMost: number): Row {
  return { what, unit: '×', figure: toRatio(own, others), atMost }
}
