import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { operations } from '../../generated/operations.ts'
import { readServedDescription } from '../api.ts'
import type { Json } from '../contract/description.ts'
import type { Detail } from '../contract/errors.ts'
import { BodyChecks, type CheckedBody } from '../contract/request-validation.ts'
import type { NewPet } from '../store/pet-store.ts'
import { CommandError } from './command.ts'
import { type Field, type Format, type PetFields, readPetFields } from './pet-file.ts'

/** One record of a file. */
export interface PetRecord {
  /** The number of the line on which it begins, from 1. */
  readonly line: number
  readonly checked: CheckedBody<NewPet>
}

/**
 * Returns a function that reads the records of a file and validates each as the service validates
 * the body of a create. With `newIds`, fields that the service assigns are ignored.
 */
export function createRecordReader(format: Format, newIds: boolean) {
  const fields = readPetFields()
  const ignored = new Set(newIds ? fields.assigned : [])
  const checks = new BodyChecks<NewPet>(readServedDescription(), operations.createPet, ignored)
  return (bytes: AsyncIterable<Buffer>): AsyncGenerator<PetRecord> =>
    format === 'ndjson' ? readNdjson(bytes, checks) : readCsv(bytes, checks, fields, newIds)
}

const lineFeed = 0x0a

/** Reads one JSON object from each line; skips blank lines. */
async function* readNdjson(
  bytes: AsyncIterable<Buffer>,
  checks: BodyChecks<NewPet>,
): AsyncGenerator<PetRecord> {
  let line = 0
  for await (const text of readLines(bytes, checks.maxBytes)) {
    line++
    // The white space of JSON, including the carriage return at the end of lines from Windows.
    const isBlank = text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
    if (!isBlank) yield { line, checked: checks.read(text) }
  }
}

/** Splits bytes at line feeds. A line may be cut, but then it is still longer than `maxBytes`. */
async function* readLines(bytes: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  for await (const chunk of bytes) {
    let start = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      yield Buffer.concat([rest, chunk.subarray(start, at)])
      rest = Buffer.alloc(0)
      start = at + 1
    }
    rest = Buffer.concat([rest, chunk.subarray(start)]).subarray(0, maxBytes + 1)
  }
  if (rest.length > 0) yield rest
}

/** The field of each column of a table; undefined for columns that are ignored. */
type Columns = readonly (Field | undefined)[]

/** Reads a table (RFC 4180) whose first line names the columns, in any order. */
async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  checks: BodyChecks<NewPet>,
  fields: PetFields,
  newIds: boolean,
): AsyncGenerator<PetRecord> {
  const source = Readable.from(bytes)
  const parser = parse({
    // Decoded to text, bytes that are not UTF-8 would be replaced without an error.
    encoding: null,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: checks.maxBytes,
  })
  source.once('error', (error) => parser.destroy(error)).pipe(parser)
  let columns: Columns | undefined
  try {
    for await (const { record, info } of parser) {
      const cells: readonly Buffer[] = record
      const line = info.lines + 1 - cells.join().split('\n').length
      if (columns === undefined) columns = readHeader(cells.map(String), fields, newIds)
      else yield { line, checked: checkCells(cells, columns, checks) }
    }
  } catch (error) {
    throw error instanceof CsvError ? toCommandError(error) : error
  } finally {
    source.destroy()
  }
  if (columns === undefined) throw new CommandError('The file is empty: line 1 names the columns.')
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote that is opened is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'after a closing quote there must be a comma or the end of the line',
  INVALID_OPENING_QUOTE: 'a field with a quote in it must be in quotes, with that quote doubled',
  CSV_MAX_RECORD_SIZE: 'the record is too long; a quote may be open',
}

function toCommandError(error: CsvError): CommandError {
  const line = 'lines' in error ? `Line ${error['lines']}` : 'The file'
  const reason = reasons[error.code] ?? 'it is not CSV (RFC 4180)'
  const advice = 'Fix it: where the next record begins is not known.'
  return new CommandError(`${line} cannot be read: ${reason}. ${advice}`, { cause: error })
}

function readHeader(
  names: readonly string[],
  { sent, assigned }: PetFields,
  newIds: boolean,
): Columns {
  const known = sent.map(({ name }) => name).join(', ')
  const reject = (reason: string): never => {
    throw new CommandError(`Line 1 must name the columns, which are ${known}: ${reason}.`)
  }
  const columns = names.map((name, index) => {
    if (names.indexOf(name) < index) reject(`${JSON.stringify(name)} is there twice`)
    if (assigned.includes(name)) {
      if (newIds) return undefined
      reject(`the service itself gives ${name}. To give new ones, add --new-ids`)
    }
    const field = sent.find((candidate) => candidate.name === name)
    return field ?? reject(`${JSON.stringify(name.slice(0, 40))} is not a column`)
  })
  const missing = sent.find((field) => field.isRequired && !columns.includes(field))
  return missing === undefined ? columns : reject(`${missing.name} is missing`)
}

function checkCells(
  cells: readonly Buffer[],
  columns: Columns,
  checks: BodyChecks<NewPet>,
): CheckedBody<NewPet> {
  if (cells.length !== columns.length) {
    const message = `has ${cells.length} fields, where the first line has ${columns.length}`
    return { faults: [{ path: '/body', message }] }
  }
  const pet: Record<string, unknown> = {}
  const faults: Detail[] = []
  for (const [index, cell] of cells.entries()) {
    const field = columns[index]
    if (field === undefined) continue
    const { name, type, isRequired } = field
    if (!isUtf8(cell)) faults.push({ path: `/body/${name}`, message: 'is not UTF-8' })
    // An empty cell is the only way for a table to omit an optional field.
    else if (cell.length > 0 || isRequired) pet[name] = toValue(type, cell.toString())
  }
  return faults.length > 0 ? { faults } : checks.check(pet)
}

const integer = /^-?\d+$/
const decimal = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i

/** Converts text to the type of its field; text that is not in its form is left for validation to reject. */
function toValue(type: Json | undefined, text: string): unknown {
  if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  // Adding 0 turns -0 into 0.
  const value = Number(text) + 0
  if (type === 'integer' && integer.test(text) && Number.isSafeInteger(value)) return value
  if (type === 'number' && decimal.test(text) && Number.isFinite(value)) return value
  return text
}
