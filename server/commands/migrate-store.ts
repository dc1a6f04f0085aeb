import { existsSync } from 'node:fs'
import { isStoreUrl, lastingUrlForms, withoutCredentials } from '../config.ts'
import { OperatorError } from '../process/operator-error.ts'
import { parseOptions, UsageError } from '../process/options.ts'
import { readServedApi } from '../served-api.ts'
import { copyStore } from '../store/copy-store.ts'
import { openEngine, sqliteFile } from '../store/store.ts'
import { count, openOptions, Progress, runCommand } from './command.ts'

const usage = `npm run migrate-store -- --from URL --to URL

Copies everything that one store holds to an empty one, ids included: ${lastingUrlForms}.
Stop the service first. If a copy was stopped, run the same command again.`

function readCommand(args: string[]) {
  const text = { type: 'string' } as const
  const { from, to } = parseOptions({ args, options: { from: text, to: text } }).values
  if (from === undefined || to === undefined || from === to) {
    throw new UsageError('Name two stores: npm run migrate-store -- --from URL --to URL')
  }
  for (const [name, url] of Object.entries({ from, to })) {
    if (isStoreUrl(url) && url !== 'sqlite::memory:') {
      continue
    }
    const quotedUrl = JSON.stringify(withoutCredentials(url))
    throw new UsageError(`--${name} is ${quotedUrl}. Allowed: ${lastingUrlForms}.`)
  }
  return { from, to }
}

await runCommand(usage, async (args) => {
  const { from, to } = readCommand(args)
  // Opening would create the file.
  const file = sqliteFile(from)
  if (file !== undefined && !existsSync(file)) {
    throw new OperatorError(`There is no database ${file} to copy. Look at --from.`)
  }
  await using opened = new AsyncDisposableStack()
  const { schema } = readServedApi()
  const source = await openEngine(from, schema, openOptions)
  opened.defer(source.close)
  const target = await openEngine(to, schema, openOptions)
  opened.defer(target.close)
  using progress = new Progress()
  const copied = await copyStore(source, target, schema, (table, rows) =>
    progress.show(() => `${table}: ${count(rows, 'row')} copied`),
  )
  progress.clear()
  for (const { name, rows } of copied) {
    console.log(`${name}: ${count(rows, 'row')}`)
  }
  console.log('The copy is complete. Start the service with DATABASE_URL at the target.')
})
