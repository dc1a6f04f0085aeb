import { randomUUID } from 'node:crypto'
import { createWriteStream, statSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { operations } from '../../../generated/operations.ts'
import {
  abortOnSignals,
  assertWritable,
  count,
  runCommand,
  withExistingStore,
} from '../../commands/command.ts'
import { describedOperation } from '../../contract/contract.ts'
import { readBundled } from '../../description/description-reader.ts'
import { toList } from '../../description/json.ts'
import { findKeyword } from '../../description/schemas.ts'
import { OperatorError } from '../../process/operator-error.ts'
import { parseOptions, UsageError } from '../../process/options.ts'
import { readServedApi } from '../../served-api.ts'
import { createPetStore, type PetStore, petFields } from '../pet-store.ts'
import type { Pet } from '../schema.ts'
import { readFormat } from './pet-file.ts'

const usage = `npm run -s export -- [--format csv|ndjson] [--out FILE] [--status STATUS]

Writes every pet to standard output, as lines of JSON unless --format or FILE says otherwise.
--out FILE       writes a file, which appears when it is complete
--status STATUS  writes only the pets with one status`

/** Pets that are read at a time. */
const pageSize = 1_000

function readCommand(args: string[]) {
  const text = { type: 'string' } as const
  const { values } = parseOptions({ args, options: { format: text, out: text, status: text } })
  const { out, status } = values
  const format = readFormat(values.format, out ?? '', 'ndjson')
  const description = readBundled(readServedApi().description)
  const { parameters } = describedOperation(description, operations.listPets)
  const schema = parameters.find(({ name }) => name === 'status')?.schema
  const statuses = toList(findKeyword(schema, 'enum', description.documents)?.value)
  const isStatus = (value: string | undefined): value is Pet['status'] =>
    value === undefined || statuses.includes(value)

  if (!isStatus(status)) {
    throw new UsageError(`Name a status: --status ${statuses.join(' or --status ')}.`)
  }

  return { format, out, status }
}

function toRow(pet: Pet): string {
  const cells = new Map<string, string | number>(Object.entries(pet))
  return `${petFields.map((name) => toCell(cells.get(name))).join(',')}\r\n`
}

// A spreadsheet takes a name that begins with = for a formula; names are exported as they are.
function toCell(value: string | number | undefined): string {
  const text = String(value ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes texts to standard output or a device, or to a file that appears when it is complete. */
async function write(
  out: string | undefined,
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (out === undefined) {
      await pipeline(texts, process.stdout, { signal })
    } else if (isDevice(out)) {
      await pipeline(texts, createWriteStream(out), { signal })
    } else {
      await writeFile(out, texts, signal)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) {
      throw error
    }

    // A reader such as `head` closes a pipe when it has enough.
    if (error.code === 'EPIPE') {
      return
    }

    const message = `Cannot write ${out ?? 'to standard output'}: ${error.message}.`
    throw new OperatorError(message, { cause: error })
  }
}

/** Returns whether a name is one of something that is no file, such as `/dev/stdout` or a pipe. */
function isDevice(name: string): boolean {
  return statSync(name, { throwIfNoEntry: false })?.isFile() === false
}

/** Writes a file beside the one that is named, and renames it when it is complete. */
async function writeFile(
  file: string,
  texts: AsyncIterable<string>,
  signal: AbortSignal,
): Promise<void> {
  const partial = `${file}.${randomUUID()}.partial`
  try {
    await pipeline(texts, createWriteStream(partial, { flush: true, flags: 'wx' }), { signal })
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Yields the pets of a store with a status, in pages; pets that are added meanwhile are not exported. */
async function* readPages(pets: PetStore, status: Pet['status']): AsyncGenerator<readonly Pet[]> {
  const last = await pets.lastId()

  for (let after = 0; after < last; ) {
    const nextPets = await pets.page(after, pageSize, status)
    const page = nextPets.filter(({ id }) => id <= last)
    yield page
    after = page.at(-1)?.id ?? last
  }
}

await runCommand(usage, async (args) => {
  const { format, out, status } = readCommand(args)
  if (out !== undefined) {
    assertWritable(out)
  }
  const toLine = format === 'csv' ? toRow : (pet: Pet) => `${JSON.stringify(pet)}\n`
  const signal = abortOnSignals('Stopped: the export is not complete.')

  await withExistingStore(async ({ database }) => {
    const pets = createPetStore(database)
    let exported = 0
    async function* texts(): AsyncGenerator<string> {
      if (format === 'csv') {
        yield `${petFields.join(',')}\r\n`
      }

      for await (const page of readPages(pets, status)) {
        exported += page.length
        yield page.map(toLine).join('')
      }
    }

    await write(out, texts(), signal)
    if (out !== undefined) {
      console.log(`Exported ${count(exported, 'pet')} to ${out}.`)
    }
  })
})
