import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseOptions } from '../process/options.ts'
import { backUp } from '../store/sqlite/backup.ts'
import { assertWritable, count, databaseFile, onlyArgument, runCommand } from './command.ts'

const usage = `npm run backup -- FILE [--replace]

Copies the store that DATABASE_URL names to FILE, as it is at one moment, also while it is in service.
--replace  replaces FILE if it exists`

const forPostgres =
  'PostgreSQL has a tool for that: pg_dump --format=custom --file=FILE "$DATABASE_URL"'

await runCommand(usage, async (args) => {
  const options = { replace: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseOptions({ args, options, allowPositionals: true })
  const name = onlyArgument(positionals, 'Name one file to write: npm run backup -- FILE')
  const file = databaseFile(forPostgres)
  const target = resolve(name)
  assertWritable(target)
  await backUp(file, target, values.replace)
  console.log(`Backed up the store to ${target}: ${count(statSync(target).size, 'byte')}.`)
})
