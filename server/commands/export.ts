import type { Pet, PetStore } from '../store/pet-store.ts'
import { abortOnSignals, parseOptions, runCommand, UsageError } from './command.ts'
import { bulkTimeout, retry, withStore } from './named-store.ts'
import { writeTo, writeWholeFile } from './output.ts'
import {
  type Format,
  formatOf,
  formats,
  type PetFields,
  readPetFields,
  toFormat,
} from './pet-record.ts'
import { formatCount, Progress } from './progress.ts'

const usage = `npm run -s export -- [--format csv|ndjson] [--out FILE] [--status STATUS]

Writes every animal to standard output, as lines of JSON unless --format or FILE says otherwise.
--out FILE       writes a file, which appears when it is complete
--status STATUS  writes only the animals with one status`

/** Pets that are read at a time. */
const pageSize = 1_000

type Status = Pet['status']

interface Command {
  readonly format: Format
  readonly out: string | undefined
  readonly status: Status
}

function readCommand(args: string[], { sent }: PetFields): Command {
  const text = { type: 'string' } as const
  const { values } = parseOptions({ args, options: { format: text, out: text, status: text } })
  const { format: named, out = '', status } = values
  const format = named === undefined ? (formatOf(out) ?? 'ndjson') : toFormat(named)
  if (format === undefined) {
    throw new UsageError(`Say what to write: --format ${formats.join(' or --format ')}.`)
  }
  const statuses = sent.find(({ name }) => name === 'status')?.values ?? []
  const isStatus = (value: string | undefined): value is Status =>
    value === undefined || statuses.includes(value)
  if (!isStatus(status)) {
    throw new UsageError(`Name a status: --status ${statuses.join(' or --status ')}.`)
  }
  return { format, out: values.out, status }
}

/** Formats pets so that an import of them gives every field back unchanged. */
function createFormatter(format: Format, { sent, assigned }: PetFields) {
  if (format === 'ndjson') return { head: '', line: (pet: Pet) => `${JSON.stringify(pet)}\n` }
  const columns = [...assigned, ...sent.map(({ name }) => name)]
  return {
    head: `${columns.join(',')}\r\n`,
    line: (pet: Pet) => {
      const cells = new Map<string, string | number>(Object.entries(pet))
      return `${columns.map((name) => toCell(cells.get(name))).join(',')}\r\n`
    },
  }
}

// A spreadsheet takes a name that begins with = for a formula; names are exported as they are.
function toCell(value: string | number | undefined): string {
  const text = String(value ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Yields the pets that exist when it begins, page by page in the order of their ids. */
async function* readPages(
  pets: PetStore,
  status: Status,
  signal: AbortSignal,
): AsyncGenerator<readonly Pet[]> {
  const progress = new Progress()
  const last = await retry(pets.lastId, signal)
  let count = 0
  try {
    for (let after = 0; after < last; ) {
      const page = await retry(() => pets.page({ after, limit: pageSize, status }), signal)
      const existed = page.filter(({ id }) => id <= last)
      yield existed
      count += existed.length
      after = page.at(-1)?.id ?? last
      progress.report(after, last, () => `exported ${formatCount(count)} animals`)
    }
  } finally {
    progress.end()
  }
}

await runCommand(usage, async (args) => {
  const fields = readPetFields()
  const { format, out, status } = readCommand(args, fields)
  const signal = abortOnSignals('Stopped: the export is not complete.')
  await withStore(async ({ pets }) => {
    const { head, line } = createFormatter(format, fields)
    let count = 0
    async function* texts(): AsyncGenerator<string> {
      if (head !== '') yield head
      for await (const page of readPages(pets, status, signal)) {
        count += page.length
        if (page.length > 0) yield page.map(line).join('')
      }
    }
    if (out === undefined) {
      await writeTo(process.stdout, 'to standard output', texts(), signal)
    } else {
      await writeWholeFile(out, texts(), signal)
      console.log(`${formatCount(count)} animals are in ${out}.`)
    }
  }, bulkTimeout)
})
