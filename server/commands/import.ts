import {
  abortOnSignals,
  CommandError,
  onlyArgument,
  parseOptions,
  runCommand,
  UsageError,
} from './command.ts'
import { type Check, FileImport, type ImportOptions } from './file-import.ts'
import { openInput } from './input-file.ts'
import { bulkTimeout, withStore } from './named-store.ts'
import { formatOf, formats, toFormat } from './pet-record.ts'
import { formatCount } from './progress.ts'

const usage = `npm run import -- FILE [--format csv|ndjson] [--skip-invalid] [--errors FILE]
                       [--new-ids] [--again]

FILE            a .csv whose first line names its columns, or an .ndjson; - for standard input
--format        the format of FILE, if its name does not end in it
--skip-invalid  adds the valid records and skips the invalid ones
--errors FILE   lists invalid records in a file instead of on standard error
--new-ids       accepts records with an id, such as those of an export; they get new ones
--again         adds a file again that was imported before`

interface Command extends ImportOptions {
  readonly file: string
}

function readCommand(args: string[]): Command {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  const options = { format: text, errors: text, 'skip-invalid': flag, 'new-ids': flag, again: flag }
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
  const file = onlyArgument(
    positionals,
    'Name one file to import. For the options: npm run import -- --help',
  )
  const format = values.format === undefined ? formatOf(file) : toFormat(values.format)
  if (format === undefined) {
    throw new UsageError(`Say what the file is: --format ${formats.join(' or --format ')}.`)
  }
  return {
    ...{ file, format, errors: values.errors, again: values.again },
    ...{ skipInvalid: values['skip-invalid'], newIds: values['new-ids'] },
  }
}

function assertImportable({ file, skipInvalid }: Command, { records, invalid }: Check): void {
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
  const command = readCommand(args)
  const { file } = command
  const signal = abortOnSignals('Stopped. This run has added nothing.')
  await using input = await openInput(file)
  const fileImport = new FileImport(input, command, signal)
  await withStore(async ({ imports }) => {
    const check = await fileImport.check()
    assertImportable(command, check)
    const { before, after } = await fileImport.add(check, imports)
    const animals = count(after.animals, 'animal')
    if (before.finishedAt !== undefined) {
      const at = new Date(before.finishedAt).toISOString()
      console.log(`${file} was imported already, at ${at}: ${animals}. To add them again: --again`)
      return
    }
    if (after.finishedAt === undefined) {
      if (after.records === 0) throw signal.reason
      const progress = `${formatCount(after.records)} of ${count(check.records, 'record')}`
      throw new CommandError(`Stopped: ${progress} are in. Run the same command again to continue.`)
    }
    const skipped =
      check.invalid === 0
        ? ''
        : `, without ${count(check.invalid, 'record')} that ${breaks(check.invalid)}`
    const continued =
      before.records === 0 ? '' : ` It continued after record ${formatCount(before.records)}.`
    console.log(`${animals} of ${file} are in${skipped}.${continued}`)
  }, bulkTimeout)
})
