import { once } from 'node:events'
import { animalTexts } from '../bulk/animal-text.ts'
import { exportAnimals } from '../bulk/export-animals.ts'
import { type Format, formatOf, formats, toFormat } from '../bulk/format.ts'
import { createOutput, type OutputFile } from '../bulk/output-file.ts'
import { bulkPatience } from '../bulk/patience.ts'
import { createProgress, toWords } from '../bulk/progress.ts'
import { createTextWriter, toWriteFault } from '../bulk/text-writer.ts'
import { stopOnSignals } from '../ops/signals.ts'
import type { Pet } from '../store/pet-store.ts'
import { toStatus } from './animal-status.ts'
import { runCommand } from './command.ts'
import { CommandRefused } from './command-refused.ts'
import { openNamedStore } from './named-store.ts'
import { parseOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

const usage = `npm run -s export -- [--format csv|ndjson] [--out FILE] [--status STATUS]

Writes every animal to standard output, as lines of JSON unless --format or FILE says otherwise.
--out FILE       writes a file, which is there when it is whole
--status STATUS  writes the animals of one status`

interface ExportCommand {
  readonly format: Format
  readonly out: string | undefined
  readonly status: Pet['status'] | undefined
}

function read(args: string[]): ExportCommand {
  const text = { type: 'string' } as const
  const { values } = parseOptions({ args, options: { format: text, out: text, status: text } })
  const { format, out, status } = values
  const chosen = format === undefined ? (formatOf(out ?? '') ?? 'ndjson') : toFormat(format)
  if (chosen === undefined) {
    throw new UsageError(`Say what to write: --format ${formats.join(' or --format ')}.`)
  }
  return { format: chosen, out, status: status === undefined ? undefined : toStatus(status) }
}

class PipeClosed extends Error {}

/** Standard output, which ends the export when nobody reads it any more. */
function toPipe(stop: AbortController): OutputFile {
  process.stdout.on('error', (cause) => {
    const isClosed = 'code' in cause && cause.code === 'EPIPE'
    stop.abort(
      isClosed
        ? new PipeClosed('Nobody reads.', { cause })
        : toWriteFault('to standard output', cause),
    )
  })
  return {
    write: createTextWriter(process.stdout, 'to standard output').write,
    async keep() {
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain')
    },
    drop: async () => undefined,
  }
}

await runCommand(usage, async (args) => {
  const { format, out, status } = read(args)
  const stop = new AbortController()
  const stopped = new CommandRefused('Stopped: the export is not whole.')
  stopOnSignals(async () => stop.abort(stopped))
  const store = await openNamedStore(bulkPatience)
  try {
    const output = out === undefined ? toPipe(stop) : await createOutput(out)
    const { signal } = stop
    const place = { animals: store.pets, progress: createProgress(process.stderr), signal }
    try {
      const count = await exportAnimals(output, animalTexts[format], status, place)
      await output.keep()
      if (out !== undefined) console.log(`${toWords(count)} animals are in ${out}.`)
    } catch (error) {
      await output.drop()
      // What head and the like do on purpose is no failure.
      if (signal.reason instanceof PipeClosed) return
      throw signal.aborted ? signal.reason : error
    }
  } finally {
    await store.close()
  }
})
