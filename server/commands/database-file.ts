import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { CommandRefused } from './command-refused.ts'

/** The file of the store that `DATABASE_URL` names; for a server there is other advice. */
export function namedDatabaseFile(adviceForServer: string): string {
  const { databaseUrl } = readConfig(process.env)
  if (databaseUrl === 'sqlite::memory:') {
    throw new CommandRefused('sqlite::memory: is seen by one process alone. Name a file instead.')
  }
  const name = /^sqlite:(.*)$/s.exec(databaseUrl)?.[1]
  if (name === undefined) throw new CommandRefused(adviceForServer)
  return resolve(name)
}

/** Throws where a file is not there. */
export function assertThere(file: string, what: string): void {
  if (!existsSync(file)) throw new CommandRefused(`There is no ${what} ${file}.`)
}
