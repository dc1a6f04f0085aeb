import { join } from 'node:path'
import { expect } from 'vitest'
import { runScript } from './npm-script.ts'
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
  /** Runs a command to its end. */
  const run = (...args: readonly string[]) => runScript(['keys', ...args], databaseUrl)

  async function runJson(...args: readonly string[]) {
    const ended = await run(...args, '--json')
    expect(ended).toMatchObject({ status: 0, errorOutput: '' })
    return JSON.parse(ended.output)
  }

  return {
    run,
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
