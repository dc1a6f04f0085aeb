import type { FileHandle } from 'node:fs/promises'
import { operations } from '../../generated/operations.ts'
import { readServedDescription } from '../api.ts'
import { BodyChecks } from '../contract/body-checks.ts'
import type { Detail } from '../contract/errors.ts'
import type { Input } from '../contract/handler.ts'
import type { ImportState, ImportStore } from '../store/import-store.ts'
import type { NewPet } from '../store/pet-store.ts'
import { CommandError } from './command.ts'
import { readCsv } from './csv.ts'
import { FileReading } from './input-file.ts'
import { retry } from './named-store.ts'
import { readNdjson } from './ndjson.ts'
import { writeFile, writeTo } from './output.ts'
import { type Format, type PetRecord, readPetFields } from './pet-record.ts'
import { formatCount, Progress } from './progress.ts'

/** Records that are read, and their pets added, in one transaction. */
const batchSize = 1_000

export interface ImportOptions {
  readonly format: Format
  /** The file in which invalid records are listed, if not standard error. */
  readonly errors: string | undefined
  readonly skipInvalid: boolean
  readonly newIds: boolean
  /** Adds a file that was imported before. */
  readonly again: boolean
}

/** What was found in a whole file. */
export interface Check {
  readonly records: number
  readonly invalid: number
  /** Identifies the file by its contents. */
  readonly digest: string
}

/** Imports a file in two passes: the first one validates every record, the second one adds pets. */
export class FileImport {
  readonly #file: FileHandle
  readonly #options: ImportOptions
  readonly #signal: AbortSignal
  readonly #read: (bytes: AsyncIterable<Buffer>) => AsyncGenerator<PetRecord>

  constructor(file: FileHandle, options: ImportOptions, signal: AbortSignal) {
    this.#file = file
    this.#options = options
    this.#signal = signal
    this.#read = createReader(options)
  }

  /** Reads the whole file and lists every invalid record. */
  async check(): Promise<Check> {
    const { format, errors } = this.#options
    const reading = new FileReading(this.#file, format)
    const found = { records: 0, invalid: 0 }
    if (errors !== undefined) await writeFile(errors, this.#listErrors(reading, found))
    else await writeTo(process.stderr, 'to standard error', this.#listErrors(reading, found))
    return { ...found, digest: reading.digest() }
  }

  async *#listErrors(
    reading: FileReading,
    found: { records: number; invalid: number },
  ): AsyncGenerator<string> {
    const { size } = await this.#file.stat()
    const progress = new Progress()
    try {
      for await (const { line, checked } of this.#read(reading.bytes())) {
        this.#signal.throwIfAborted()
        found.records++
        progress.report(
          reading.bytesRead,
          size,
          () => `checked ${formatCount(found.records)} records`,
        )
        if ('body' in checked) continue
        found.invalid++
        progress.end()
        yield `Line ${line}: ${checked.faults.map(toText).join('; ')}\n`
      }
    } finally {
      progress.end()
    }
  }

  /** Adds the pets of a file that was checked, from where an earlier import of the file ended. */
  async add(check: Check, imports: ImportStore) {
    const { digest } = check
    const begin = () => retry(() => imports.begin(digest), this.#signal)
    let before = await begin()
    if (before.finishedAt !== undefined) {
      if (!this.#options.again) return { before, after: before }
      await retry(() => imports.forget(digest), this.#signal)
      before = await begin()
    }
    return { before, after: await this.#addFrom(before, check, imports) }
  }

  async #addFrom(
    before: ImportState,
    { records, digest }: Check,
    imports: ImportStore,
  ): Promise<ImportState> {
    const { size } = await this.#file.stat()
    const reading = new FileReading(this.#file, this.#options.format)
    const progress = new Progress()
    let state = before
    let seen = 0
    let pets: NewPet[] = []
    const commit = async (finishedAt?: number): Promise<void> => {
      const step = { digest, from: state.records, to: seen, animals: pets, finishedAt }
      const isDone = await retry(() => imports.advance(step), this.#signal)
      // Otherwise an earlier attempt was committed, or another process imports the same file.
      state = isDone
        ? { records: seen, animals: state.animals + pets.length, finishedAt }
        : await retry(() => imports.begin(digest), this.#signal)
      if (state.records < seen) throw restarted()
      pets = []
      progress.report(reading.bytesRead, size, () => `${formatCount(state.animals)} animals are in`)
    }
    try {
      for await (const { checked } of this.#read(reading.bytes())) {
        if (this.#signal.aborted) return state
        if (++seen > records) throw changed()
        if (seen <= state.records) continue
        if ('body' in checked) pets.push(checked.body)
        else if (!this.#options.skipInvalid) throw changed()
        if (seen - state.records === batchSize) await commit()
      }
      if (seen !== records || reading.digest() !== digest) throw changed()
      await commit(Date.now())
      return state
    } finally {
      progress.end()
    }
  }
}

function createReader({ format, newIds }: ImportOptions) {
  const fields = readPetFields()
  const operation = operations.createPet
  const ignored = new Set(newIds ? fields.assigned : [])
  const checks = new BodyChecks<Input<'createPet'>['body']>(
    readServedDescription(),
    operation,
    ignored,
  )
  return (bytes: AsyncIterable<Buffer>) =>
    format === 'ndjson' ? readNdjson(bytes, checks) : readCsv(bytes, checks, fields, newIds)
}

// The path of a detail begins with the body, which a file does not have.
function toText({ path, message }: Detail): string {
  const [, , ...field] = path.split('/')
  return field.length === 0 ? message : `${field.join('/')} ${message}`
}

function changed(): CommandError {
  return new CommandError(
    'The file was changed while it was read. Import it again when it is complete.',
  )
}

function restarted(): CommandError {
  return new CommandError('Another process imports the same file again. Leave it to that one.')
}
