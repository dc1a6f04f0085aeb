import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { BodyChecks, CheckedBody } from '../contract/body-checks.ts'
import type { Json } from '../contract/description.ts'
import type { Detail } from '../contract/errors.ts'
import type { NewPet } from '../store/pet-store.ts'
import { CommandError } from './command.ts'
import type { Field, PetFields, PetRecord } from './pet-record.ts'

/** Reads a table (RFC 4180) whose first line names the columns, in any order. */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  checks: BodyChecks<NewPet>,
  fields: PetFields,
  newIds: boolean,
): AsyncGenerator<PetRecord> {
  let columns: readonly (Field | undefined)[] | undefined
  for await (const { cells, line } of parseCsv(bytes, checks.maxBytes)) {
    if (columns === undefined) columns = readHeader(cells.map(String), fields, newIds)
    else yield { line, checked: checkCells(cells, columns, checks) }
  }
  if (columns === undefined) throw new CommandError('The file is empty: line 1 names the columns.')
}

interface CsvRecord {
  readonly cells: readonly Buffer[]
  readonly line: number
}

async function* parseCsv(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<CsvRecord> {
  const parser = parse({
    // Decoded to text, bytes that are not UTF-8 would be replaced without an error.
    encoding: null,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: maxBytes,
  })
  const source = Readable.from(bytes)
  source.once('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser) {
      yield { cells: record, line: info.lines - countLineFeeds(record) }
    }
  } catch (error) {
    throw error instanceof CsvError ? toCommandError(error) : error
  } finally {
    source.destroy()
  }
}

function countLineFeeds(cells: readonly Buffer[]): number {
  const isMultiLine = cells.some((cell) => cell.includes(0x0a))
  return isMultiLine ? Buffer.concat(cells).filter((byte) => byte === 0x0a).length : 0
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

/** Returns the field of each column; undefined for columns that are ignored. */
function readHeader(
  names: readonly string[],
  { sent, assigned }: PetFields,
  newIds: boolean,
): (Field | undefined)[] {
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
  for (const field of sent) {
    if (field.isRequired && !columns.includes(field)) reject(`${field.name} is missing`)
  }
  return columns
}

function checkCells(
  cells: readonly Buffer[],
  columns: readonly (Field | undefined)[],
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

const numberForms = [
  { type: 'integer', form: /^-?\d+$/, isExact: Number.isSafeInteger },
  { type: 'number', form: /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/, isExact: Number.isFinite },
]

/** Converts text to the type of its field; text that is not in its form is left for validation to reject. */
function toValue(type: Json | undefined, text: string): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  const number = numberForms.find((one) => one.type === type)
  if (number === undefined || !number.form.test(text)) return text
  // Adding 0 turns -0 into 0.
  const value = Number(text) + 0
  return number.isExact(value) ? value : text
}
