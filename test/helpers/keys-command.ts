import { expectSuccess, runScript } from './npm-script.ts'

/** A part of a key as `--json` prints it. */
interface PrintedKey {
  readonly id: string
  /** Only `issue` and `rotate` print it. */
  readonly key: string
}

/** Creates the `keys` command on the store of a `DATABASE_URL`. */
export function createKeysCommand(url: string) {
  /** Runs a command to its end. */
  const run = (...args: readonly string[]) => runScript({ url }, 'keys', ...args)
  const runJson = async <Printed>(...args: readonly string[]): Promise<Printed> =>
    JSON.parse(await expectSuccess(run(...args, '--json')))
  return {
    run,
    /** Runs `issue` or `rotate`. */
    make: (...args: readonly string[]): Promise<PrintedKey> => runJson(...args),
    list: (): Promise<Omit<PrintedKey, 'key'>[]> => runJson('list'),
  }
}
