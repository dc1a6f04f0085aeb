import { randomUUID } from 'node:crypto'
import { createWriteStream, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import type { Pet } from '../store/pet-store.ts'
import {
  abortOnSignals,
  parseOptions,
  retry,
  runCommand,
  UsageError,
  withStore,
} from './command.ts'
import { writeTo } from './output.ts'
import { formatOf, formatOptions, type PetFields, readPetFields } from './pet-file.ts'
import { formatCount, Progress } from './progress.ts'

const usage = `npm run -s export -- [--format csv|ndjson] [--out FILE] [--status STATUS]

Writes every animal to standard output, as lines of JSON unless --format or FILE says otherwise.
--out FILE       writes a file, which appears when it is complete
--status STATUS  writes only the animals with one status`

/** Pets that are read at a time. */
const pageSize = 1_000

type Status = Pet['status']

function readCommand(args: string[], { sent }: PetFields) {
  const text = { type: 'string' } as const
  const { values } = parseOptions({ args, options: { format: text, out: text, status: text } })
  const { out, status } = values
  const format = formatOf(values.format, out ?? '')
  if (values.format !== undefined && format === undefined) {
    throw new UsageError(`Say what to write: ${formatOptions}.`)
  }
  const statuses = sent.find(({ name }) => name === 'status')?.values ?? []
  const isStatus = (value: string | undefined): value is Status =>
    value === undefined || statuses.includes(value)
  if (!isStatus(status)) {
    throw new UsageError(`Name a status: --status ${statuses.join(' or --status ')}.`)
  }
  return { format: format ?? 'ndjson', out, status }
}

function toRow(pet: Pet, columns: readonly string[]): string {
  const cells = new Map<string, string | number>(Object.entries(pet))
  return `${columns.map((name) => toCell(cells.get(name))).join(',')}\r\n`
}

// A spreadsheet takes a name that begins with = for a formula; names are exported as they are.
function toCell(value: string | number | undefined): string {
  const text = String(value ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes texts to a file that appears when it is complete; to a device or a pipe as they come. */
async function writeFile(
  name: string,
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const found = statSync(name, { throwIfNoEntry: false })
  if (found?.isFile() === false) return writeTo(createWriteStream(name), name, texts, signal)
  const partial = `${name}.${randomUUID().slice(0, 8)}.partial`
  try {
    await writeTo(createWriteStream(partial, { flags: 'wx', flush: true }), name, texts, signal)
    await rename(partial, name)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

await runCommand(usage, async (args) => {
  const fields = readPetFields()
  const { format, out, status } = readCommand(args, fields)
  const columns = [...fields.assigned, ...fields.sent.map(({ name }) => name)]
  const toLine = (pet: Pet): string =>
    format === 'csv' ? toRow(pet, columns) : `${JSON.stringify(pet)}\n`
  const signal = abortOnSignals('Stopped: the export is not complete.')
  await withStore(async ({ pets }) => {
    let count = 0
    async function* texts(): AsyncGenerator<string> {
      using progress = new Progress()
      if (format === 'csv') yield `${columns.join(',')}\r\n`
      // Pets that are added from now on are not exported.
      const last = await retry(pets.lastId, signal)
      for (let after = 0; after < last; ) {
        const page = await retry(() => pets.page({ after, limit: pageSize, status }), signal)
        const existed = page.filter(({ id }) => id <= last)
        count += existed.length
        yield existed.map(toLine).join('')
        after = page.at(-1)?.id ?? last
        progress.report(after, last, () => `exported ${formatCount(count)} animals`)
      }
    }
    if (out === undefined) {
      await writeTo(process.stdout, 'to standard output', texts(), signal)
    } else {
      await writeFile(out, texts(), signal)
      console.log(`${formatCount(count)} animals are in ${out}.`)
    }
  })
})
