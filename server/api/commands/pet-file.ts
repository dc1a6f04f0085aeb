import { isUtf8 } from 'node:buffer'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { operations } from '../../../generated/operations.ts'
import { escapeInvisible, isExact } from '../../contract/i-json.ts'
import { readBundled } from '../../description/description-reader.ts'
import { BodyChecks, type CheckedBody } from '../../http/body-checks.ts'
import { OperatorError } from '../../process/operator-error.ts'
import { UsageError } from '../../process/options.ts'
import { readServedApi } from '../../served-api.ts'
import { petFields } from '../pet-store.ts'
import { type NewPet, petColumns } from '../schema.ts'

/** The formats of files of pets: a table (RFC 4180), or one JSON object on each line. */
const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** Returns the format that an option names, or else the one that a file name ends in, or the default. */
export function readFormat(option: string | undefined, file: string, byDefault?: Format): Format {
  const name = option ?? extname(file).slice(1).toLowerCase()
  const format = formats.find((format) => format === name)
  if (format !== undefined) {
    return format
  }
  if (option === undefined && byDefault !== undefined) {
    return byDefault
  }
  throw new UsageError(`Choose a format: --format ${formats.join(' or --format ')}.`)
}

/** One record of a file. */
export interface PetRecord {
  /** The number of the line on which it begins, from 1. */
  readonly line: number
  readonly checked: CheckedBody<NewPet>
}

type Checks = BodyChecks<NewPet>

/**
 * Reads the records of a file, and validates each as the service validates the body of a create. With
 * `newIds`, fields that the service assigns are ignored.
 */
export function readRecords(
  bytes: Buffer,
  format: Format,
  newIds: boolean,
): AsyncGenerator<PetRecord> {
  const ignored = new Set(newIds ? assigned : [])
  const description = readBundled(readServedApi().description)
  const checks: Checks = new BodyChecks(description, operations.createPet, ignored)
  // Excel puts a byte order mark at the start.
  const isMarked = bytes.subarray(0, 3).equals(Buffer.from('\uFEFF'))
  const text = isMarked ? bytes.subarray(3) : bytes
  return format === 'ndjson' ? readNdjson(text, checks) : readCsv(text, checks, newIds)
}

/** Reads one JSON object from each line; skips blank lines. */
async function* readNdjson(bytes: Buffer, checks: Checks): AsyncGenerator<PetRecord> {
  let line = 0
  for (const text of splitLines(bytes)) {
    line++
    // The white space of JSON, including the carriage return at the end of lines from Windows.
    const isBlank = text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
    if (!isBlank) {
      yield { line, checked: checks.read(text) }
    }
  }
}

function* splitLines(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const lineFeed = bytes.indexOf('\n', start)
    const end = lineFeed < 0 ? bytes.length : lineFeed
    yield bytes.subarray(start, end)
    start = end + 1
  }
}

// An empty cell is the only way for a table to omit a field.
const toText = (cell: string) => cell || undefined

const isField = (name: PropertyKey): name is keyof NewPet => Object.hasOwn(petColumns, name)

/** The fields that the service assigns. */
export const assigned: readonly string[] = petFields.filter((name) => !isField(name))

/** Converts a cell to the type of its column. */
function toField(column: string | number, cell: string): number | string | undefined {
  if (!isField(column)) {
    return cell
  }
  const [, type] = petColumns[column]
  return type === 'text' ? toText(cell) : toNumber(cell)
}

// Text that is no number is left for the validation to reject.
function toNumber(cell: string): number | string | undefined {
  const isNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell)
  return isNumber && isExact(cell) ? Number(cell) : toText(cell)
}

/** Reads a table (RFC 4180) whose first line names the columns, in any order. */
async function* readCsv(bytes: Buffer, checks: Checks, newIds: boolean): AsyncGenerator<PetRecord> {
  // The parser would replace bytes that are not UTF-8 without an error.
  if (!isUtf8(bytes)) {
    const line = [...splitLines(bytes)].findIndex((text) => !isUtf8(text)) + 1
    throw new OperatorError(`Line ${line} is not UTF-8. Save the file as UTF-8.`)
  }
  const parser = Readable.from(chunksOf(bytes)).pipe(
    parse({
      info: true,
      skip_empty_lines: true,
      record_delimiter: ['\r\n', '\n'],
      // A quote that is never closed would otherwise take the rest of the file.
      max_record_size: checks.maxBytes,
      columns: (names: string[]) => assertColumns(names, checks, newIds),
      // Of the first line, whose cells are names, the columns are numbers.
      cast: (cell, { column }) => toField(column, cell),
    }),
  )
  try {
    let lines = 0
    let end = 0
    for await (const { record, info } of parser) {
      // The parser itself counts a carriage return within a cell as a line.
      for (; end < info.bytes; lines++) {
        end = bytes.indexOf('\n', end) + 1 || bytes.length
      }
      const line = lines + 1 - Object.values(record).join().split('\n').length
      yield { line, checked: checks.check(record) }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) {
      throw error
    }
    const reason = error.message.replace(/ line \d+/, ` line ${lineOf(error, bytes)}`)
    const message = `Not CSV (RFC 4180): ${reason}. Fix the file.`
    throw new OperatorError(message, { cause: error })
  }
}

/** Returns the line on which a cell that is not CSV begins, or a record of a wrong length ends. */
function lineOf(error: CsvError, bytes: Buffer): number {
  const isRecord = error.code === 'CSV_RECORD_INCONSISTENT_COLUMNS'
  let at = Number(error['bytes']) - (isRecord ? 1 : 0)
  // Blank lines may be between the last record and the cell.
  while (!isRecord && (bytes[at] === 0x0a || bytes[at] === 0x0d)) {
    at++
  }
  return splitLines(bytes.subarray(0, at + 1)).reduce((lines) => lines + 1, 0)
}

// The parser makes all records of a chunk at once.
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  const size = 65_536
  for (let at = 0; at < bytes.length; at += size) {
    yield bytes.subarray(at, at + size)
  }
}

/** Returns the columns of a table; throws an `OperatorError` if they are not those of a pet. */
function assertColumns(columns: string[], checks: Checks, newIds: boolean): string[] {
  const problems = columns.flatMap((name, index) => {
    const printedName = escapeInvisible(JSON.stringify(name.slice(0, 40)))
    if (columns.indexOf(name) < index) {
      return [`${printedName} occurs twice`]
    }
    if (isField(name) || (newIds && assigned.includes(name))) {
      return []
    }
    if (!assigned.includes(name)) {
      return [`${printedName} is not a column`]
    }
    return [`the service assigns ${name}; add --new-ids to assign new ones`]
  })
  // The fields without which a pet is invalid.
  const empty = checks.check({})
  const required = 'violations' in empty ? empty.violations.map(({ path }) => path.slice(6)) : []
  const missing = required.filter((name) => !columns.includes(name))
  const [problem] = [...problems, ...missing.map((name) => `${name} is missing`)]
  if (problem === undefined) {
    return columns
  }
  const columnNames = Object.keys(petColumns).join(', ')
  throw new OperatorError(`Line 1 must name the columns, which are ${columnNames}: ${problem}.`)
}
