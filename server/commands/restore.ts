import { resolve } from 'node:path'
import { parseOptions } from '../process/options.ts'
import { restore } from '../store/sqlite/backup.ts'
import { databaseFile, onlyArgument, runCommand } from './command.ts'

const usage = `npm run restore -- FILE

Replaces the store that DATABASE_URL names by a copy of the backup FILE. Stop the service first. The
old store is kept under another name, not deleted.`

const forPostgres =
  'PostgreSQL has a tool for that: pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" FILE'

await runCommand(usage, async (args) => {
  const { positionals } = parseOptions({ args, allowPositionals: true })
  const backup = resolve(onlyArgument(positionals, 'Name one backup: npm run restore -- FILE'))
  const file = databaseFile(forPostgres)
  const aside = await restore(backup, file)
  console.log(`Restored ${file} from ${backup}. Start the service.`)
  if (aside !== undefined) {
    console.log(`The previous database is ${aside}. Delete it after you have checked the service.`)
  }
})
