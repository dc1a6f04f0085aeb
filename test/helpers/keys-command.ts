import { join } from 'node:path'
import { expect } from 'vitest'
import { startProgram } from './program.ts'
import { createTemporaryFolder } from './temporary-folder.ts'

/** A key as `--json` prints it. */
interface PrintedKey {
  readonly id: string
  readonly name: string | null
  readonly plan: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
}

/** Creates the `keys` command on the store of a `DATABASE_URL`. */
export function createKeysCommand(databaseUrl: string) {
  const env = { DATABASE_URL: databaseUrl }
  const start = (...args: readonly string[]) =>
    startProgram('server/commands/keys.ts', args, { env })

  async function runJson(...args: readonly string[]) {
    const ended = await start(...args, '--json').ended
    expect(ended).toMatchObject({ status: 0, complaint: '' })
    return JSON.parse(ended.output)
  }

  return {
    start,
    /** Runs a command to its end. */
    run: (...args: readonly string[]) => start(...args).ended,
    /** Runs `issue` or `rotate`. */
    make: (...args: readonly string[]): Promise<PrintedKey & { readonly key: string }> =>
      runJson(...args),
    list: (): Promise<PrintedKey[]> => runJson('list'),
  }
}

/** Returns the path of a database file whose folder does not exist. */
export function freshFile(): string {
  return join(createTemporaryFolder(), 'not', 'yet', 'store.sqlite')
}
