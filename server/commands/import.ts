import { listFaultsIn, listFaultsOn } from '../bulk/fault-list.ts'
import { type Format, formatOf, formats, toFormat } from '../bulk/format.ts'
import { type Imported, type ImportOptions, importFile } from '../bulk/import-file.ts'
import { type InputFile, openInput } from '../bulk/input-file.ts'
import { bulkPatience } from '../bulk/patience.ts'
import { createProgress } from '../bulk/progress.ts'
import { stopOnSignals } from '../ops/signals.ts'
import type { Store } from '../store/store.ts'
import { runCommand } from './command.ts'
import { toOutcome } from './import-outcome.ts'
import { openNamedStore } from './named-store.ts'
import { parseOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

const usage = `npm run import -- FILE [--format csv|ndjson] [--skip-invalid] [--errors FILE]
                       [--new-ids] [--again]

FILE      a .csv whose first line names its columns, or an .ndjson; - for standard input
--format        what FILE is, where its name does not say it
--skip-invalid  adds the good records although there are bad ones, which are left out
--errors FILE   lists bad records in a file, not on standard error
--new-ids       lets records have an id, as those of an export do; they get new ones
--again         adds a file once more that was imported before`

interface ImportCommand extends ImportOptions {
  readonly file: string
  readonly errors: string | undefined
}

function read(args: string[]): ImportCommand {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  const options = { format: text, errors: text, 'skip-invalid': flag, 'new-ids': flag, again: flag }
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0) {
    throw new UsageError('Name one file to import. For the options: npm run import -- --help')
  }
  return {
    file,
    format: chooseFormat(file, values.format),
    errors: values.errors,
    skipInvalid: values['skip-invalid'],
    newIds: values['new-ids'],
    again: values.again,
  }
}

function chooseFormat(file: string, named: string | undefined): Format {
  const format = named === undefined ? formatOf(file) : toFormat(named)
  if (format !== undefined) return format
  throw new UsageError(`Say what the file is: --format ${formats.join(' or --format ')}.`)
}

async function load(
  input: InputFile,
  command: ImportCommand,
  { imports }: Store,
  signal: AbortSignal,
): Promise<Imported> {
  const { errors } = command
  const faults = errors === undefined ? listFaultsOn(process.stderr) : await listFaultsIn(errors)
  try {
    const progress = createProgress(process.stderr)
    return await importFile(input, command, { imports, faults, progress, signal })
  } finally {
    await faults.end()
  }
}

await runCommand(usage, async (args) => {
  const command = read(args)
  const stop = new AbortController()
  stopOnSignals(async () => stop.abort())
  const input = await openInput(command.file, process.stdin)
  try {
    const store = await openNamedStore(bulkPatience)
    try {
      console.log(toOutcome(command, await load(input, command, store, stop.signal)))
    } finally {
      await store.close()
    }
  } finally {
    await input.close()
  }
})
