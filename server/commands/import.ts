import { createWriteStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { Detail } from '../contract/errors.ts'
import type { ImportStore } from '../store/import-store.ts'
import type { NewPet } from '../store/pet-store.ts'
import {
  abortOnSignals,
  CommandError,
  onlyArgument,
  parseOptions,
  retry,
  runCommand,
  UsageError,
  withStore,
} from './command.ts'
import { FileReading, openInput } from './input-file.ts'
import { writeTo } from './output.ts'
import { type Format, formatOf, formatOptions } from './pet-file.ts'
import { formatCount, Progress } from './progress.ts'
import { createRecordReader, type PetRecord } from './read-records.ts'

const usage = `npm run import -- FILE [--format csv|ndjson] [--skip-invalid] [--errors FILE]
                       [--new-ids] [--again]

FILE            a .csv whose first line names its columns, or an .ndjson; - for standard input
--format        the format of FILE, if its name does not end in it
--skip-invalid  adds the valid records and skips the invalid ones
--errors FILE   lists invalid records in a file instead of on standard error
--new-ids       accepts records with an id, such as those of an export; they get new ones
--again         adds a file again that was imported before`

/** Records that are read, and their pets added, in one transaction. */
const batchSize = 1_000

function readCommand(args: string[]) {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  const options = { format: text, errors: text, 'skip-invalid': flag, 'new-ids': flag, again: flag }
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
  const help = 'For the options: npm run import -- --help'
  const file = onlyArgument(positionals, `Name one file to import. ${help}`)
  const format = formatOf(values.format, file)
  if (format === undefined) throw new UsageError(`Say what the file is: ${formatOptions}.`)
  return { ...values, file, format }
}

/** A file, which is read twice: first every record is validated, then pets are added. */
interface Input {
  readonly file: FileHandle
  readonly size: number
  readonly format: Format
  readonly read: (bytes: AsyncIterable<Buffer>) => AsyncGenerator<PetRecord>
  readonly signal: AbortSignal
}

/** What was found in a whole file. */
interface Check {
  readonly records: number
  readonly invalid: number
  /** Identifies the file by its contents. */
  readonly digest: string
}

/** Reads the whole file, and lists every invalid record in the file `errors` or on standard error. */
async function check({ file, size, format, read, signal }: Input, errors?: string): Promise<Check> {
  const reading = new FileReading(file, format)
  let [records, invalid] = [0, 0]
  using progress = new Progress()
  async function* list(): AsyncGenerator<string> {
    for await (const { line, checked } of read(reading.bytes())) {
      signal.throwIfAborted()
      records++
      progress.report(reading.bytesRead, size, () => `checked ${formatCount(records)} records`)
      if ('body' in checked) continue
      invalid++
      progress.clear()
      yield `Line ${line}: ${checked.faults.map(toText).join('; ')}\n`
    }
  }
  if (errors === undefined) await writeTo(process.stderr, 'to standard error', list())
  else await writeTo(createWriteStream(errors), errors, list())
  return { records, invalid, digest: reading.digest() }
}

// The path of a detail begins with the body, which a file does not have.
function toText({ path, message }: Detail): string {
  const [, , ...field] = path.split('/')
  return field.length === 0 ? message : `${field.join('/')} ${message}`
}

/**
 * Adds the pets of a file that was checked, from where an earlier import of it ended. Returns the
 * progress before and after; it is finished unless the signal was aborted.
 */
async function add(
  { file, size, format, read, signal }: Input,
  digest: string,
  imports: ImportStore,
  again: boolean,
) {
  const begin = () => retry(() => imports.begin(digest), signal)
  let before = await begin()
  if (before.finishedAt !== undefined && again) {
    await retry(() => imports.forget(digest), signal)
    before = await begin()
  }
  let after = before
  if (before.finishedAt !== undefined) return { before, after }
  const reading = new FileReading(file, format)
  let seen = 0
  let animals: NewPet[] = []
  using progress = new Progress()
  async function commit(finishedAt?: number): Promise<void> {
    const step = { digest, from: after.records, to: seen, animals, finishedAt }
    await retry(() => imports.advance(step), signal)
    // Another process that imports the same file may be further.
    after = await begin()
    if (after.records < seen) {
      throw new CommandError('Another process imports the same file again. Leave it to that one.')
    }
    animals = []
    progress.report(reading.bytesRead, size, () => `${formatCount(after.animals)} animals are in`)
  }
  for await (const { checked } of read(reading.bytes())) {
    if (signal.aborted) return { before, after }
    if (++seen <= after.records) continue
    if ('body' in checked) animals.push(checked.body)
    if (seen - after.records === batchSize) await commit()
  }
  if (reading.digest() !== digest) {
    const changed = 'The file was changed while it was read.'
    throw new CommandError(`${changed} Import it again when it is complete.`)
  }
  await commit(Date.now())
  return { before, after }
}

function assertImportable(file: string, { records, invalid }: Check, skipInvalid: boolean): void {
  if (records === 0) throw new CommandError(`${file} holds no animals. Nothing was added.`)
  if (invalid === 0 || skipInvalid) return
  const errors = `${formatCount(invalid)} of ${count(records, 'record')} of ${file} ${breaks(invalid)}`
  const advice = 'Fix them, or skip them with --skip-invalid.'
  throw new CommandError(`Nothing was added: ${errors}. ${advice}`)
}

function breaks(invalid: number): string {
  return `${invalid === 1 ? 'breaks' : 'break'} the contract`
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`
}

await runCommand(usage, async (args) => {
  const { file, format, errors, again, ...options } = readCommand(args)
  const signal = abortOnSignals('Stopped. This run has added nothing.')
  await using opened = await openInput(file)
  const read = createRecordReader(format, options['new-ids'])
  const { size } = await opened.stat()
  const input = { file: opened, size, format, read, signal }
  await withStore(async ({ imports }) => {
    const found = await check(input, errors)
    assertImportable(file, found, options['skip-invalid'])
    const { records, invalid, digest } = found
    const { before, after } = await add(input, digest, imports, again)
    const animals = count(after.animals, 'animal')
    if (before.finishedAt !== undefined) {
      const at = new Date(before.finishedAt).toISOString()
      console.log(`${file} was imported already, at ${at}: ${animals}. To add them again: --again`)
      return
    }
    if (after.finishedAt === undefined) {
      if (after.records === 0) throw signal.reason
      const progress = `${formatCount(after.records)} of ${count(records, 'record')}`
      throw new CommandError(`Stopped: ${progress} are in. Run the same command again to continue.`)
    }
    const skipped =
      invalid === 0 ? '' : `, without ${count(invalid, 'record')} that ${breaks(invalid)}`
    const continued =
      before.records === 0 ? '' : ` It continued after record ${formatCount(before.records)}.`
    console.log(`${animals} of ${file} are in${skipped}.${continued}`)
  })
})
