import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { explain, OperatorError } from '../process/operator-error.ts'
import { UsageError } from '../process/options.ts'
import { stopOnSignals } from '../process/signals.ts'
import { readServedApi } from '../served-api.ts'
import { openStore, type Store, sqliteFile } from '../store/store.ts'

/** The options of a store in commands, whose statements may take longer: no client waits for them. */
export const openOptions = { timeout: 30_000 }

/** Runs a command with the arguments of the process, or prints its usage. */
export async function runCommand(
  usage: string,
  run: (args: string[]) => Promise<void>,
): Promise<void> {
  const args = process.argv.slice(2)
  try {
    if (args[0] === 'help' || args.includes('--help') || args.includes('-h')) {
      console.log(usage)
    } else {
      await run(args)
    }
  } catch (error) {
    console.error(explain(error))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

/** Returns the only positional argument; throws a `UsageError` if there is none, or more than one. */
export function onlyArgument([first, ...more]: readonly string[], message: string): string {
  if (first !== undefined && more.length === 0) {
    return first
  }
  throw new UsageError(message)
}

/** Returns a signal that aborts when the process is asked to stop; its reason is an `OperatorError`. */
export function abortOnSignals(message: string): AbortSignal {
  const stop = new AbortController()
  stopOnSignals(async () => stop.abort(new OperatorError(message)))
  return stop.signal
}

/** Returns the `DATABASE_URL`; throws an `OperatorError` if other processes cannot see that store. */
function databaseUrl(): string {
  const { databaseUrl: url } = readConfig(process.env)
  if (url !== 'sqlite::memory:') {
    return url
  }
  throw new OperatorError('sqlite::memory: is seen by one process alone. Name a file instead.')
}

/** Returns the SQLite file that `DATABASE_URL` names; undefined for PostgreSQL. */
function configuredFile(): string | undefined {
  const name = sqliteFile(databaseUrl())
  return name === undefined ? undefined : resolve(name)
}

/** Returns the SQLite file that `DATABASE_URL` names; for PostgreSQL, throws the advice. */
export function databaseFile(adviceForPostgres: string): string {
  const file = configuredFile()
  if (file === undefined) {
    throw new OperatorError(adviceForPostgres)
  }
  return file
}

/** Throws an `OperatorError` if a file that is to be written is the store, or the input of a command. */
export function assertWritable(target: string, input?: string): void {
  const inputs = { 'the database itself': configuredFile(), 'the input': input }
  for (const [name, file] of Object.entries(inputs)) {
    if (file === undefined || !isSameFile(file, target)) {
      continue
    }
    throw new OperatorError(`${target} is ${name}. Name another file.`)
  }
}

/** Returns whether two names lead to one file, also through links. */
function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) {
    return false
  }
  const a = statSync(one)
  const b = statSync(other)
  return a.dev === b.dev && a.ino === b.ino
}

/** Runs work on the store that `DATABASE_URL` names, and closes it. */
export async function withStore(work: (store: Store) => Promise<void>): Promise<void> {
  const store = await openStore(databaseUrl(), readServedApi().schema, openOptions)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** Runs work as `withStore` does; throws an `OperatorError` for an SQLite file that does not exist. */
export async function withExistingStore(work: (store: Store) => Promise<void>): Promise<void> {
  const file = configuredFile()
  if (file !== undefined && !existsSync(file)) {
    throw new OperatorError(`There is no database ${file}. Look at DATABASE_URL.`)
  }
  await withStore(work)
}

/** Shows the progress of long work in a line of a terminal, every second, and erases it at the end. */
export class Progress {
  #shownAt = Number.NEGATIVE_INFINITY

  show(describe: () => string): void {
    if (!process.stderr.isTTY || performance.now() - this.#shownAt < 1_000) {
      return
    }
    this.clear()
    process.stderr.write(describe())
    this.#shownAt = performance.now()
  }

  clear(): void {
    if (process.stderr.isTTY) {
      process.stderr.write('\r\x1b[K')
    }
  }

  [Symbol.dispose](): void {
    this.clear()
  }
}

/** Returns a number as people read it, such as `1,000,000`. */
export function formatCount(number: number): string {
  return number.toLocaleString('en-US')
}

/** Returns a number with its noun, such as `1,000,000 rows` or `1 row`. */
export function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? '' : 's'}`
}
