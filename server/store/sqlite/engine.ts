import { resolve } from 'node:path'
import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { type Engine, type Query, sqliteDialect } from '../engine.ts'
import { StoreUnavailable } from '../errors.ts'
import type { Schema } from '../schema.ts'
import { toStoreError, whileLocked } from './errors.ts'
import { createIdentityCheck, openFile } from './file.ts'

/** Milliseconds that writers wait for another process to release the database. */
const lockTimeout = 2_000
/** Milliseconds that `ping` waits for a write. */
const pingTimeout = 250
const maxPerCommit = 256

/** Opens a database file, or `:memory:`, and applies pending migrations. */
export async function openSqlite(name: string, schema: Schema): Promise<Engine> {
  const file = name === ':memory:' ? name : resolve(name)
  return new SqliteEngine(await openFile(file, schema), createIdentityCheck(file))
}

/** A write that waits for its transaction. */
interface Write {
  readonly queries: readonly [Query, ...Query[]]
  readonly resolve: (rows: object[]) => void
  readonly reject: (error: unknown) => void
}

/**
 * Queues writes for group commit: all that wait when a transaction begins are in it. A
 * commit costs a disk sync; many writes in one cost no more. A write that throws is undone alone.
 */
class SqliteEngine implements Engine {
  readonly dialect = sqliteDialect
  readonly #connection: DatabaseSync
  readonly #assertInPlace: () => void
  readonly #statements = new Map<string, (values: readonly SQLInputValue[]) => object[]>()
  readonly #writes: Write[] = []
  #isRunning = false
  /** Why the last write did not get to the disk. */
  #failure: StoreUnavailable | undefined

  /** `assertInPlace` throws if the file of the database is not the one that was opened. */
  constructor(connection: DatabaseSync, assertInPlace: () => void) {
    this.#connection = connection
    this.#assertInPlace = assertInPlace
  }

  readonly read = async <Row>(...query: Query): Promise<Row[]> => {
    try {
      return this.#run(query) as Row[]
    } catch (error) {
      throw toStoreError(error)
    }
  }

  readonly write = async <Row>(...queries: readonly [Query, ...Query[]]): Promise<Row[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<object[]>()
    this.#writes.push({ queries, resolve, reject })
    if (!this.#isRunning) {
      void this.#runWrites()
    }
    return (await promise) as Row[]
  }

  // It writes nothing while writes succeed; after a failed one, it tries a write that changes nothing.
  readonly ping = async (): Promise<void> => {
    this.#assertInPlace()
    await this.read('SELECT 1 FROM api_keys LIMIT 1')
    if (this.#failure === undefined) {
      return
    }
    const trial = this.write(['PRAGMA user_version = 0'])
    await Promise.race([trial.catch(() => undefined), wait(pingTimeout)])
    if (this.#failure !== undefined) {
      throw this.#failure
    }
  }

  readonly close = async (): Promise<void> => {
    if (this.#connection.isOpen) {
      this.#connection.close()
    }
  }

  /** Runs a statement, which is parsed once. */
  #run([sql, ...values]: Query): object[] {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql)
    this.#statements.set(sql, statement)
    return statement(values)
  }

  #prepare(sql: string): (values: readonly SQLInputValue[]) => object[] {
    // A plus keeps SQLite from preparing it again for every value, to look for a better plan.
    const statement = this.#connection.prepare(sql.replaceAll(/\$(?=\d)/g, '+?'))
    // The objects of node:sqlite have no prototype: a page of them takes three times as long.
    statement.setReturnArrays(true)
    const names = statement.columns().map(({ name }) => name)
    const toRow = (cells: Readonly<Record<number, unknown>>) => {
      const row: Record<string, unknown> = {}
      for (const [at, name] of names.entries()) {
        row[name] = cells[at]
      }
      return row
    }
    return (values) => statement.all(...values).map(toRow)
  }

  async #runWrites(): Promise<void> {
    const connection = this.#connection
    this.#isRunning = true
    while (this.#writes.length > 0) {
      // Requests of the same iteration of the event loop join the same commit.
      await new Promise(setImmediate)
      // Until the transaction has begun, an error rejects all that wait.
      let batch = this.#writes
      try {
        this.#assertInPlace()
        await whileLocked(lockTimeout, () => connection.exec('BEGIN IMMEDIATE'))
        batch = this.#writes.splice(0, maxPerCommit)
        this.#failure = undefined
        const settles = batch.map((write) => this.#runWrite(write))
        connection.exec('COMMIT')
        for (const settle of settles) {
          settle()
        }
      } catch (error) {
        if (connection.isOpen && connection.isTransaction) {
          connection.exec('ROLLBACK')
        }
        const reason = this.#noteFailure(error)
        for (const { reject } of batch.splice(0)) {
          reject(reason)
        }
      }
    }
    this.#isRunning = false
  }

  /** Runs a write in the transaction; returns a function that settles its promise after the commit. */
  #runWrite({ queries: [first, ...others], resolve, reject }: Write): () => void {
    const connection = this.#connection
    connection.exec('SAVEPOINT write')
    try {
      const rows = this.#run(first)
      if (rows.length > 0) {
        for (const query of others) {
          this.#run(query)
        }
      }
      connection.exec('RELEASE write')
      return () => resolve(rows)
    } catch (error) {
      // A full disk ends the whole transaction: there is no savepoint to return to.
      if (!connection.isTransaction) {
        throw error
      }
      connection.exec('ROLLBACK TO write; RELEASE write')
      const reason = this.#noteFailure(error)
      return () => reject(reason)
    }
  }

  #noteFailure(error: unknown): unknown {
    const reason = toStoreError(error)
    if (reason instanceof StoreUnavailable) {
      this.#failure = reason
    }
    return reason
  }
}
