import { hash, randomBytes } from 'node:crypto'
import { type Compilable, CompiledQuery } from 'kysely'
import type { ClientBase, QueryResultRow } from 'pg'
import type { Run } from './runs.ts'

/** What a parameter of a statement may be. */
export type Value = string | number | null | Uint8Array | readonly (string | number | null)[]

/** A statement that a backend parses once; values in the order in which its SQL asks for them. */
export type Statement<Row> = (...values: readonly Value[]) => Promise<Row[]>

/** A statement that is run on a connection of the caller's choice. */
export type StatementOn<Row> = (client: ClientBase, ...values: readonly Value[]) => Promise<Row[]>

// Connections that share a backend, as some poolers let them, must not share names.
const connectionNames = new WeakMap<ClientBase, string>()

function nameOf(client: ClientBase): string {
  const known = connectionNames.get(client)
  if (known !== undefined) return known
  const name = randomBytes(6).toString('base64url')
  connectionNames.set(client, name)
  return name
}

/**
 * A query of several statements in one, which is easier to read, and for the compiler to check, as
 * SQL; $1, $2 … stand for its values.
 */
export function written<Row>(text: string): Compilable<Row> {
  return { compile: () => CompiledQuery.raw(text) }
}

/**
 * Prepares a query that Kysely wrote. It is built once, with any value in the place of each
 * parameter, and a backend parses it once for each connection.
 */
export function prepareOn<Row extends QueryResultRow>(query: Compilable<Row>): StatementOn<Row> {
  const text = query.compile().sql
  const digest = hash('sha256', text, 'base64url')
  return async (client, ...values) => {
    const name = `${nameOf(client)} ${digest}`
    return (await client.query<Row>({ name, text, values: [...values] })).rows
  }
}

/** Prepares a query that is run by itself. */
export function prepare<Row extends QueryResultRow>(
  run: Run,
  query: Compilable<Row>,
): Statement<Row> {
  const on = prepareOn(query)
  return (...values) => run((client) => on(client, ...values))
}
