import { existsSync } from 'node:fs'
import { isStoreUrl, lastingUrlForms, withoutCredentials } from '../config.ts'
import { PlainError, reasonOf } from '../plain-error.ts'
import { connectToCopy, copyStore } from '../store/copy-store.ts'
import { openStore } from '../store/store.ts'
import { abortOnSignals, CommandError, parseOptions, runCommand, UsageError } from './command.ts'
import { formatCount, Progress } from './progress.ts'

const usage = `npm run migrate-store -- --from URL --to URL

Copies everything that one store holds to an empty one, ids included: ${lastingUrlForms}.
Stop the service first. A copy that was stopped leaves the target empty: run the command again.`

const unchanged = 'The target is empty as before. Run the same command again.'

function readCommand(args: string[]) {
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

async function copy(from: string, to: string, signal: AbortSignal) {
  using progress = new Progress()
  await using source = await connectToCopy(from, 'read')
  await using target = await connectToCopy(to, 'write')
  return await copyStore(source, target, ({ name, rows }, all) => {
    signal.throwIfAborted()
    progress.report(rows, all, () => `${name}: ${formatCount(rows)} rows`)
  })
}

await runCommand(usage, async (args) => {
  const { from, to } = readCommand(args)
  // Opening would create the file.
  const [, file] = /^sqlite:(.*)$/s.exec(from) ?? []
  if (file !== undefined && !existsSync(file)) {
    throw new CommandError(`There is no database ${file} to copy. Look at --from.`)
  }
  const signal = abortOnSignals(`Stopped. ${unchanged}`)
  // Brings the tables of both up to date.
  for (const url of [from, to]) {
    await (await openStore(url, { onRestricted: console.error })).close()
  }
  try {
    for (const { name, rows } of await copy(from, to, signal)) {
      console.log(`${name}: ${formatCount(rows)} rows`)
    }
    console.log('The copy is complete. Start the service with DATABASE_URL at the target.')
  } catch (error) {
    if (error instanceof PlainError) throw error
    throw new CommandError(`Cannot copy: ${reasonOf(error)}. ${unchanged}`, { cause: error })
  }
})
