import { createHash } from 'node:crypto'
import { openSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import {
  abortOnSignals,
  assertWritable,
  count,
  formatCount,
  onlyArgument,
  Progress,
  runCommand,
  withStore,
} from '../../commands/command.ts'
import type { Detail } from '../../contract/errors.ts'
import { escapeInvisible } from '../../contract/i-json.ts'
import { OperatorError, reasonOf } from '../../process/operator-error.ts'
import { parseOptions } from '../../process/options.ts'
import type { Engine } from '../../store/engine.ts'
import { type NewPet, petColumns, petTable } from '../schema.ts'
import { assigned, type PetRecord, readFormat, readRecords } from './pet-file.ts'

const usage = `npm run import -- FILE [--format csv|ndjson] [--skip-invalid] [--errors FILE]
                       [--new-ids] [--again]

FILE            a .csv whose first line names its columns, or an .ndjson; - for standard input
--format        the format of FILE, if its name does not end in it
--skip-invalid  adds the valid records and skips the invalid ones
--errors FILE   lists invalid records in a file instead of on standard error
--new-ids       accepts records with an id, such as those of an export; they get new ones
--again         adds a file again that was imported before`

/** Records whose pets are added in one transaction. */
const batchSize = 1_000

function readCommand(args: string[]) {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  const options = { format: text, errors: text, 'skip-invalid': flag, 'new-ids': flag, again: flag }
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
  const help = 'For the options: npm run import -- --help'
  const file = onlyArgument(positionals, `Name one file to import. ${help}`)
  return { ...values, file, format: readFormat(values.format, file) }
}

async function readInput(file: string): Promise<Buffer> {
  try {
    return file === '-' ? await buffer(process.stdin) : await readFile(file)
  } catch (cause) {
    throw new OperatorError(`Cannot read ${file}: ${reasonOf(cause)}.`, { cause })
  }
}

/** Returns a function that writes lines to a file, or to standard error if there is none. */
function createReport(file: string | undefined): (line: string) => void {
  if (file === undefined) {
    return console.error
  }
  const orThrow = <Result>(write: () => Result): Result => {
    try {
      return write()
    } catch (cause) {
      throw new OperatorError(`Cannot write ${file}: ${reasonOf(cause)}.`, { cause })
    }
  }
  const descriptor = orThrow(() => openSync(file, 'w'))
  return (line) => orThrow(() => writeSync(descriptor, `${line}\n`))
}

/** What a file holds. */
interface RecordCounts {
  readonly records: number
  readonly invalid: number
  /** Whether the invalid records have no other violation than fields that the service assigns. */
  readonly haveIds: boolean
}

/** Counts the records of a file, and reports every invalid one. */
async function check(
  records: AsyncIterable<PetRecord>,
  report: (line: string) => void,
): Promise<RecordCounts> {
  const counts = { records: 0, invalid: 0, haveIds: true }
  using progress = new Progress()
  for await (const { line, checked } of records) {
    counts.records++
    progress.show(() => `${count(counts.records, 'record')} checked`)
    if ('body' in checked) {
      continue
    }

    counts.invalid++
    counts.haveIds &&= checked.violations.every(({ path }) => assigned.includes(path.slice(6)))
    progress.clear()
    report(`Line ${line}: ${checked.violations.map(toText).join('; ')}`)
  }
  return counts
}

// The path of a detail begins with the body, which a file does not have.
function toText({ path, message }: Detail): string {
  const [, , ...field] = path.split('/')
  // A file may have any names, and a terminal follows what they say.
  return escapeInvisible(field.length === 0 ? message : `${field.join('/')} ${message}`)
}

/** The progress of importing a file, which is kept under its digest. */
interface ImportProgress {
  /** Records of the file that were processed, including those that were skipped. */
  readonly records: number
  /** Pets that were added. */
  readonly pets: number
  /** When the last record was processed, in milliseconds since 1970; null if it was not. */
  readonly finishedAt: number | null
}

// The update changes nothing: it returns the row also where it is there already.
const findProgress = `INSERT INTO imports (digest, records, pets, finished_at)
  VALUES ($1, 0, 0, NULL) ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest
  RETURNING records, pets, finished_at AS "finishedAt"`
const moveProgress = `UPDATE imports SET records = $1, pets = pets + $2, finished_at = $3
  WHERE digest = $4 AND records = $5 RETURNING records`

// The members of the records, as JSON has them.
const members = Object.fromEntries(
  Object.entries(petColumns).map(([field, [, type]]) => [field, type]),
)

async function readProgress({ write }: Engine, digest: string): Promise<ImportProgress> {
  const [progress] = await write<ImportProgress>([findProgress, digest])
  return progress ?? { records: 0, pets: 0, finishedAt: null }
}

/**
 * Adds the pets of a file from where an earlier import of it ended, and returns its progress at the
 * end. A signal ends it between two transactions, each of which moves the progress, too.
 */
async function add(
  records: AsyncIterable<PetRecord>,
  total: number,
  digest: string,
  database: Engine,
) {
  const signal = abortOnSignals('Stopped. Run the same command again to continue.')
  const columns = Object.keys(petTable.columns).join(', ')
  const insert = `INSERT INTO ${petTable.name} (${columns}) ${database.dialect.selectJson(members)}`
  using progressLine = new Progress()
  let progress = await readProgress(database, digest)
  let seen = 0
  let pets: NewPet[] = []

  async function commit(finishedAt: number | null): Promise<void> {
    signal.throwIfAborted()
    // Adds nothing if another process that imports the same file is further.
    await database.write(
      [moveProgress, seen, pets.length, finishedAt, digest, progress.records],
      [insert, JSON.stringify(pets)],
    )
    progress = await readProgress(database, digest)

    if (progress.records < seen) {
      throw new OperatorError(
        'Another process imports the same file again. This import has stopped; the other one continues.',
      )
    }

    pets = []
    progressLine.show(() => `${formatCount(seen)} of ${count(total, 'record')} imported`)
  }

  for await (const { checked } of records) {
    seen++
    if (seen <= progress.records) {
      continue
    }

    if ('body' in checked) {
      pets.push(checked.body)
    }
    if (seen - progress.records === batchSize) {
      await commit(null)
    }
  }

  await commit(Date.now())
  return progress
}

/** Throws an `OperatorError` if there is nothing to add, or an invalid record that may not be skipped. */
function assertValid(
  { records, invalid, haveIds }: RecordCounts,
  file: string,
  skipsInvalid: boolean,
): void {
  if (records === 0) {
    throw new OperatorError(`${file} has no pets. Nothing was added.`)
  }

  const canSkip = invalid < records
  if (invalid === 0 || (canSkip && skipsInvalid)) {
    return
  }

  const skip = canSkip ? ', or skip them with --skip-invalid' : ''
  const assign = haveIds ? ', or add --new-ids to assign new IDs' : ''
  const which = `${formatCount(invalid)} of ${count(records, 'record')} of ${file}`
  throw new OperatorError(
    `Nothing was added: ${which} ${breakTheContract(invalid)}. Fix them${skip}${assign}.`,
  )
}

function breakTheContract(records: number): string {
  return `${records === 1 ? 'breaks' : 'break'} the contract`
}

/** Describes an import, and what the file had beside the pets that were added. */
function describeImport(file: string, pets: number, invalid: number, startedAfter: number): string {
  const skipped =
    invalid === 0 ? '' : `, without ${count(invalid, 'record')} that ${breakTheContract(invalid)}`
  const continued =
    startedAfter === 0 ? '' : ` It continued after record ${formatCount(startedAfter)}.`
  return `Imported ${count(pets, 'pet')} from ${file}${skipped}.${continued}`
}

await runCommand(usage, async (args) => {
  const { file, format, errors, again, ...options } = readCommand(args)
  if (errors !== undefined) {
    assertWritable(errors, file === '-' ? '/dev/stdin' : file)
  }

  const bytes = await readInput(file)
  const read = () => readRecords(bytes, format, options['new-ids'])
  const digest = createHash('sha256').update(`${format}\n`).update(bytes).digest('hex')

  await withStore(async ({ database }) => {
    const counts = await check(read(), createReport(errors))
    assertValid(counts, file, options['skip-invalid'])

    const before = await readProgress(database, digest)
    const { finishedAt } = before
    const isFinished = finishedAt !== null

    if (isFinished && !again) {
      const at = `${new Date(finishedAt).toISOString()}: ${count(before.pets, 'pet')}`
      console.log(`${file} was imported already, at ${at}. To add them again: --again`)
      return
    }

    if (isFinished) {
      await database.write(['DELETE FROM imports WHERE digest = $1', digest])
    }
    const startedAfter = isFinished ? 0 : before.records

    const { pets } = await add(read(), counts.records, digest, database)
    console.log(describeImport(file, pets, counts.invalid, startedAfter))
  })
})
