import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import type { BodyChecks } from '../contract/body-checks.ts'
import type { NewPet } from '../store/pet-store.ts'
import { readRow } from './csv-cells.ts'
import { type HeaderColumn, type KnownColumns, readHeader } from './csv-header.ts'
import { FileFault } from './file-fault.ts'
import type { Bytes, ReadRecords } from './record.ts'

const byteOrderMark = Buffer.from('\uFEFF')

/** Reads a table (RFC 4180) whose first line names its columns. */
export function createCsvReader(checks: BodyChecks<NewPet>, columns: KnownColumns): ReadRecords {
  return async function* read(bytes) {
    let header: readonly HeaderColumn[] | undefined
    for await (const { cells, line } of parseRecords(bytes, checks.maxBytes)) {
      if (header === undefined) {
        header = readHeader(cells.map(String), columns)
        continue
      }
      const row = readRow(header, cells)
      yield { line, checked: 'faults' in row ? row : checks.check(row.value) }
    }
    if (header === undefined) throw new FileFault('The file is empty: line 1 names the columns.')
  }
}

/** Cells and the line in which they begin. */
interface CsvRecord {
  readonly cells: readonly Buffer[]
  readonly line: number
}

async function* parseRecords(bytes: Bytes, longest: number): AsyncGenerator<CsvRecord> {
  const parser = parse({
    // Cells stay bytes: what is not UTF-8 would otherwise be replaced without a word.
    encoding: null,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n'],
    max_record_size: longest,
  })
  const source = Readable.from(withoutMark(bytes))
  source.once('error', (error) => parser.destroy(error))
  source.pipe(parser)
  try {
    for await (const { record, info } of parser) {
      yield { cells: record, line: info.lines - newlinesIn(record) }
    }
  } catch (error) {
    throw error instanceof CsvError ? toFileFault(error) : error
  } finally {
    source.destroy()
  }
}

// Excel puts it there.
async function* withoutMark(bytes: Bytes): AsyncGenerator<Buffer> {
  let start: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (start === undefined) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < byteOrderMark.length) continue
    const isMarked = start.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    yield isMarked ? start.subarray(byteOrderMark.length) : start
    start = undefined
  }
  if (start !== undefined && start.length > 0) yield start
}

function newlinesIn(cells: readonly Buffer[]): number {
  return cells.reduce((sum, cell) => sum + (cell.includes(0x0a) ? count(cell) : 0), 0)
}

function count(cell: Buffer): number {
  return cell.reduce((sum, byte) => sum + (byte === 0x0a ? 1 : 0), 0)
}

const reasons: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote that is opened is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'after a closing quote there must be a comma or the end of the line',
  INVALID_OPENING_QUOTE: 'a field with a quote in it must be in quotes, with that quote doubled',
  CSV_MAX_RECORD_SIZE: 'the record is too long; a quote may be open',
}

// Where records begin is not known any more.
function toFileFault(error: CsvError): FileFault {
  const line = 'lines' in error ? `Line ${error['lines']}` : 'The file'
  const reason = reasons[error.code] ?? 'it is not CSV (RFC 4180)'
  const message = `${line} cannot be read: ${reason}. Mend it: what follows cannot be told apart.`
  return new FileFault(message, { cause: error })
}
