import { join } from 'node:path'
import { expect } from 'vitest'
import { type Ended, type Program, startProgram } from './program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** A key as `--json` shows it. */
export interface ShownKey {
  readonly id: string
  readonly name: string | null
  readonly plan: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/** A key that was just made. */
export interface NewKey extends ShownKey {
  readonly key: string
}

export interface KeysCommand {
  readonly start: (...args: readonly string[]) => Program
  /** Runs a command to its end. */
  readonly run: (...args: readonly string[]) => Promise<Ended>
  /** Runs `issue` or `rotate` with `--json`. */
  readonly make: (...args: readonly string[]) => Promise<NewKey>
  /** Runs `list --json`. */
  readonly list: () => Promise<ShownKey[]>
}

/** The `keys` command on one database file. */
export function createKeysCommand(databaseFile: string): KeysCommand {
  return createKeysCommandAt(`sqlite:${databaseFile}`)
}

/** The `keys` command on the store that a `DATABASE_URL` names. */
export function createKeysCommandAt(databaseUrl: string): KeysCommand {
  const env = { DATABASE_URL: databaseUrl }
  const start = (...args: readonly string[]): Program =>
    startProgram('server/commands/keys.ts', args, { env })

  async function runJson(...args: readonly string[]) {
    const ended = await start(...args, '--json').ended
    expect(ended).toMatchObject({ status: 0, complaint: '' })
    return JSON.parse(ended.output)
  }

  return {
    start,
    run: (...args) => start(...args).ended,
    make: runJson,
    list: () => runJson('list'),
  }
}

/** The path of a database file whose folder is not there yet. */
export function freshFile(): string {
  return join(createTemporaryFolder(), 'not', 'yet', 'store.sqlite')
}
