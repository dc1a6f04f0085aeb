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

const maxWritesPerCommit = 256

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

/** Runs a prepared statement with the values of its parameters. */
type Statement = (values: readonly SQLInputValue[]) => object[]

/**
 * Queues writes for group commit: a transaction has all writes that wait when it begins. A commit costs a
 * disk sync, however many writes it has. A write that throws is undone alone.
 */
class SqliteEngine implements Engine {
  readonly dialect = sqliteDialect
  readonly #connection: DatabaseSync
  readonly #assertSameFile: () => void
  readonly #statements = new Map<string, Statement>()
  /** The writes that wait for their transaction. */
  readonly #writes: Write[] = []
  #isWriting = false
  /** Why the last write did not get to the disk. */
  #failure: StoreUnavailable | undefined

  /** `assertSameFile` throws if the file of the database is not the one that was opened. */
  constructor(connection: DatabaseSync, assertSameFile: () => void) {
    this.#connection = connection
    this.#assertSameFile = assertSameFile
  }

  // Callers spread and destructure engines: methods of the class would be lost, and so would their `this`.
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
    if (!this.#isWriting) {
      void this.#runWrites()
    }
    return (await promise) as Row[]
  }

  // While writes succeed, a ping writes nothing. After a failed write, it tries one that changes nothing.
  readonly ping = async (): Promise<void> => {
    this.#assertSameFile()
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

  /** Runs a statement, which is prepared once. */
  #run([sql, ...values]: Query): object[] {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql)
    this.#statements.set(sql, statement)
    return statement(values)
  }

  #prepare(sql: string): Statement {
    // SQLite would prepare `?1` again for every value, to look for a better plan; not so `+?1`.
    const prepared = this.#connection.prepare(sql.replaceAll(/\$(?=\d)/g, '+?'))
    // The objects of node:sqlite have no prototype: a page of them takes three times as long.
    prepared.setReturnArrays(true)

    const names = prepared.columns().map(({ name }) => name)
    const toRow = (cells: Readonly<Record<number, unknown>>) => {
      const row: Record<string, unknown> = {}
      for (const [index, name] of names.entries()) {
        row[name] = cells[index]
      }
      return row
    }
    return (values) => prepared.all(...values).map(toRow)
  }

  async #runWrites(): Promise<void> {
    this.#isWriting = true
    while (this.#writes.length > 0) {
      // Requests of the same iteration of the event loop join the same commit.
      await new Promise(setImmediate)
      await this.#runTransaction()
    }
    this.#isWriting = false
  }

  /** Runs the first writes that wait, all in one transaction. */
  async #runTransaction(): Promise<void> {
    const connection = this.#connection
    try {
      this.#assertSameFile()
      // Of a transaction before it that could not be undone when it failed.
      this.#rollBack()
      await whileLocked(lockTimeout, () => connection.exec('BEGIN IMMEDIATE'))
    } catch (error) {
      this.#rejectAll(this.#writes.splice(0), error)
      return
    }

    const writes = this.#writes.splice(0, maxWritesPerCommit)
    this.#failure = undefined
    try {
      const settles = writes.map((write) => this.#runWrite(write))
      connection.exec('COMMIT')
      for (const settle of settles) {
        settle()
      }
    } catch (error) {
      this.#rejectAll(writes, error)
      try {
        this.#rollBack()
      } catch {
        // A disk that fails may fail here, too. The next transaction tries it again.
      }
    }
  }

  /** Undoes the open transaction, if there is one. */
  #rollBack(): void {
    if (this.#connection.isOpen && this.#connection.isTransaction) {
      this.#connection.exec('ROLLBACK')
    }
  }

  #rejectAll(writes: readonly Write[], error: unknown): void {
    const reason = this.#noteFailure(error)
    for (const { reject } of writes) {
      reject(reason)
    }
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
