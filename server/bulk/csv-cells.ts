import { isUtf8 } from 'node:buffer'
import type { Detail } from '../contract/errors.ts'
import { lexicalError } from '../contract/parameters.ts'
import type { Column } from './columns.ts'
import type { HeaderColumn } from './csv-header.ts'

/** What a record of a table says as an object of the contract, or why it says nothing. */
export type RowReading =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly faults: readonly Detail[] }

/** Reads the cells of one record. */
export function readRow(header: readonly HeaderColumn[], cells: readonly Buffer[]): RowReading {
  if (cells.length !== header.length) {
    const message = `has ${cells.length} fields, where the first line has ${header.length}`
    return { faults: [{ path: '/body', message }] }
  }
  const value: Record<string, unknown> = {}
  const faults: Detail[] = []
  for (const [index, column] of header.entries()) {
    const cell = cells[index]
    if (column === undefined || cell === undefined) continue
    if (!isUtf8(cell)) faults.push({ path: `/body/${column.name}`, message: 'is not UTF-8' })
    // A table has no other way to say that a field is not there.
    else if (cell.length > 0 || column.isRequired) {
      value[column.name] = toValue(column, cell.toString())
    }
  }
  return faults.length > 0 ? { faults } : { value }
}

// What is not in the form of its type stays text, which the check of the contract then refuses.
function toValue({ type }: Column, text: string): unknown {
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : text)
  if (type !== 'integer' && type !== 'number') return text
  if (lexicalError({ required: true, type }, text) !== undefined) return text
  // The sum makes a plain zero of a negative one.
  const number = Number(text) + 0
  return type === 'integer' && !Number.isSafeInteger(number) ? text : number
}
