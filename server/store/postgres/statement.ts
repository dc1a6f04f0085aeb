import { hash, randomBytes } from 'node:crypto'
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

/** Prepares a statement, which a backend parses once for each connection; $1, $2 … are its values. */
export function prepareOn<Row extends QueryResultRow>(text: string): StatementOn<Row> {
  const digest = hash('sha256', text, 'base64url')
  return async (client, ...values) => {
    const name = `${nameOf(client)} ${digest}`
    return (await client.query<Row>({ name, text, values: [...values] })).rows
  }
}

/** Prepares a statement that is run by itself. */
export function prepare<Row extends QueryResultRow>(run: Run, text: string): Statement<Row> {
  const on = prepareOn<Row>(text)
  return (...values) => run((client) => on(client, ...values))
}
