import { existsSync } from 'node:fs'
import { adopt } from '../bulk/copy/adoption.ts'
import { copyAll, type WholeCopy } from '../bulk/copy/copy-all.ts'
import type { Copying } from '../bulk/copy/copy-table.ts'
import { createPatientStore } from '../bulk/copy/patient-store.ts'
import { bulkPatience } from '../bulk/patience.ts'
import { createProgress, toWords } from '../bulk/progress.ts'
import { isStoreUrl, lastingUrlForms, withoutCredentials } from '../connection-urls.ts'
import { stopOnSignals } from '../ops/signals.ts'
import { animals } from '../store/copy/copied-tables.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { runCommand } from './command.ts'
import { CommandRefused } from './command-refused.ts'
import { toReport } from './copy-report.ts'
import { parseOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

const usage = `npm run migrate-store -- --from URL --to URL

Copies everything that one store holds into another, ids included: ${lastingUrlForms}.
It may be stopped and run again; then it copies what is missing.`

interface MigrateCommand {
  readonly from: string
  readonly to: string
}

function read(args: string[]): MigrateCommand {
  const text = { type: 'string' } as const
  const { from, to } = parseOptions({ args, options: { from: text, to: text } }).values
  if (from === undefined || to === undefined || from === to) {
    throw new UsageError('Name two stores: npm run migrate-store -- --from URL --to URL')
  }
  for (const [name, url] of Object.entries({ from, to })) {
    if (isStoreUrl(url) && url !== 'sqlite::memory:') continue
    const shown = JSON.stringify(withoutCredentials(url))
    throw new UsageError(`--${name} is ${shown}. Allowed: ${lastingUrlForms}.`)
  }
  return { from, to }
}

// Opening makes what is not there, which is not what somebody wants who mistyped a name.
function assertThere(url: string): void {
  const file = /^sqlite:(.*)$/s.exec(url)?.[1]
  if (file === undefined || existsSync(file)) return
  throw new CommandRefused(`There is no database ${file} to copy. Look at --from.`)
}

async function migrate(source: Store, target: Store): Promise<void> {
  const stop = new AbortController()
  const stopped = new CommandRefused('Stopped. Run the same command again to go on.')
  stopOnSignals(async () => stop.abort(stopped))
  const stores = {
    source: createPatientStore(source.copies, stop.signal),
    target: createPatientStore(target.copies, stop.signal),
  }
  await adopt({ ...source, copies: stores.source }, { ...target, copies: stores.target })
  const expected = await stores.source.last(animals)
  const copy = await copyTelling(stores, expected, stop.signal)
  const newer = (await stores.source.last(animals)) > copy.upTo
  const { text, isEqual } = toReport(copy, newer)
  console.log(text)
  if (!isEqual) throw new CommandRefused('The two sides differ. Do not use the target; copy again.')
}

async function copyTelling(
  stores: Omit<Copying, 'tell'>,
  expected: number,
  signal: AbortSignal,
): Promise<WholeCopy> {
  const progress = createProgress(process.stderr)
  try {
    return await copyAll({
      ...stores,
      tell({ name }, rows) {
        signal.throwIfAborted()
        const all = name === animals.name ? expected : rows
        progress.tell(rows, all, () => `${name}: ${toWords(rows)} rows`)
      },
    })
  } finally {
    progress.end()
  }
}

await runCommand(usage, async (args) => {
  const { from, to } = read(args)
  assertThere(from)
  const options = { timeout: bulkPatience, onRestricted: console.error }
  const source = await openStore(from, options)
  try {
    const target = await openStore(to, options)
    try {
      await migrate(source, target)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
})
