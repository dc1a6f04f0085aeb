import { join } from 'node:path'
import { type Program, startProgram } from '../../../helpers/program.ts'

/** Runs `npm start` in a copy, without npm, with a store in memory. */
export function runServiceIn(copy: string): Program {
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' }
  return startProgram(join(copy, 'server/main.ts'), [], { cwd: copy, env })
}
