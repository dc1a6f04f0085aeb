import { resolve } from 'node:path'
import { restore } from '../store/sqlite/restore.ts'
import { runCommand } from './command.ts'
import { showCopying } from './copying.ts'
import { assertThere, namedDatabaseFile } from './database-file.ts'
import { parseOptions } from './options.ts'
import { UsageError } from './usage-error.ts'

const usage = `npm run restore -- FILE

Puts a copy of the backup FILE in the place of the store that DATABASE_URL names. Stop the service
first. What was there is put aside, not deleted.`

const forServer =
  'PostgreSQL has a tool for that: pg_restore --clean --if-exists --dbname="$DATABASE_URL" FILE'

await runCommand(usage, async (args) => {
  const { positionals } = parseOptions({ args, options: {}, allowPositionals: true })
  const [name, ...more] = positionals
  if (name === undefined || more.length > 0) {
    throw new UsageError('Name one backup: npm run restore -- FILE')
  }
  const file = namedDatabaseFile(forServer)
  const backup = resolve(name)
  assertThere(backup, 'backup')
  const aside = await showCopying(backup, file, (tell) => restore(backup, file, tell))
  console.log(`${file} is what was in ${backup}. Start the service.`)
  if (aside !== undefined) console.log(`What was there is ${aside}; delete it when all is well.`)
})
