import { hash, randomBytes } from 'node:crypto'
import type { ClientBase, QueryResultRow } from 'pg'
import type { Work } from './pool.ts'

/** Works in the database; rejects with a `StoreUnavailable` if it does not respond in time. */
export type Run = <Result>(work: Work<Result>) => Promise<Result>

/** Runs work in a transaction. */
export function inTransaction<Result>(work: Work<Result>): Work<Result> {
  return async (client) => {
    await client.query('BEGIN')
    try {
      const result = await work(client)
      await client.query('COMMIT')
      return result
    } catch (error) {
      // If the connection is lost, the server rolls back by itself.
      await client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
  }
}

export type Value = string | number | null | Uint8Array | readonly (string | number | null)[]

/** A statement on a given connection; values in the order of its parameters. */
export type StatementOn<Row> = (client: ClientBase, ...values: readonly Value[]) => Promise<Row[]>

/** A statement that is run by itself. */
export type Statement<Row> = (...values: readonly Value[]) => Promise<Row[]>

// Some poolers let connections share a backend: statements of two connections must differ in name.
const connectionNames = new WeakMap<ClientBase, string>()

/** Prepares a statement, which the backend parses once for each connection. */
export function prepareOn<Row extends QueryResultRow>(text: string): StatementOn<Row> {
  const digest = hash('sha256', text, 'base64url')
  return async (client, ...values) => {
    const connection = connectionNames.get(client) ?? randomBytes(6).toString('base64url')
    connectionNames.set(client, connection)
    const name = `${connection} ${digest}`
    return (await client.query<Row>({ name, text, values: [...values] })).rows
  }
}

/** Prepares a statement that is run by itself. */
export function prepare<Row extends QueryResultRow>(run: Run, text: string): Statement<Row> {
  const on = prepareOn<Row>(text)
  return (...values) => run((client) => on(client, ...values))
}
