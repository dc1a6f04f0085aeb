import type { Operation } from './operation.ts'
import type { ListOptions } from './options.ts'
import type { Query } from './parameters.ts'

/** What a call sends, and its options. */
export interface CallInput {
  readonly path: Query
  readonly body: unknown
  readonly query: Query
  readonly options: ListOptions
}

/** Reads the arguments of a method: path parameters, body, query, options. */
export function readArguments(operation: Operation, values: readonly unknown[]): CallInput {
  const waiting = [...values]
  const names = (operation.path.match(/\{[^{}]+\}/g) ?? []).map((name) => name.slice(1, -1))
  const path = Object.fromEntries(names.map((name) => [name, waiting.shift()]))
  const body = operation.body ? waiting.shift() : undefined
  const query = operation.query ? waiting.shift() : undefined
  const options = waiting.shift()

  // The methods have these types; `readOptions` checks the options of a call in JavaScript.
  return { path, body, query: (query ?? {}) as Query, options: (options ?? {}) as ListOptions }
}
