import { resolve } from 'node:path'
import { toWords } from '../bulk/progress.ts'
import { backUp } from '../store/sqlite/back-up.ts'
import { runCommand } from './command.ts'
import { showCopying } from './copying.ts'
import { assertThere, namedDatabaseFile } from './database-file.ts'
import { parseOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

const usage = `npm run backup -- FILE [--replace]

Copies the store that DATABASE_URL names into FILE, as it is at one moment, also while it is served.
--replace  puts the copy in the place of a FILE that is there`

const forServer =
  'PostgreSQL has a tool for that: pg_dump --format=custom --file=FILE "$DATABASE_URL"'

await runCommand(usage, async (args) => {
  const replace = { type: 'boolean', default: false } as const
  const { values, positionals } = parseOptions({
    args,
    options: { replace },
    allowPositionals: true,
  })
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) {
    throw new UsageError('Name one file to write: npm run backup -- FILE')
  }
  const file = namedDatabaseFile(forServer)
  assertThere(file, 'database')
  const target = resolve(name)
  const bytes = await showCopying(file, target, (tell) =>
    backUp(file, target, values.replace, tell),
  )
  console.log(`${target} holds the store, whole, in ${toWords(bytes)} bytes.`)
})
