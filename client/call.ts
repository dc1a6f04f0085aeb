import type { RetryOptions } from './retry.ts'
import type { TimeoutOptions } from './timeouts.ts'

/** The row of an operation, as far as a call needs it. */
export interface Row {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: {
    readonly query: Readonly<Record<string, unknown>>
    readonly header: Readonly<Record<string, unknown>>
  }
  readonly requestBody?: unknown
  readonly paginatedBy?: string
  readonly deprecation?: {
    readonly since?: string
    readonly sunset?: string
    readonly replacedBy?: { readonly operationId: string; readonly description?: string }
  }
}

/** What may be said of one call, whatever the operation. */
export interface CommonCallOptions {
  /** Ends the call, the waits between its attempts included. */
  readonly signal?: AbortSignal
  /** Other rules for sending it again, or `false` for none. */
  readonly retry?: RetryOptions | false
  readonly timeout?: TimeoutOptions
}

/** A call, sorted from the arguments of a method. */
export interface Call {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly header: Readonly<Record<string, unknown>>
  readonly body: unknown
  readonly options: CommonCallOptions & { readonly maxPages?: number }
}

interface Options extends CommonCallOptions {
  readonly headers?: Readonly<Record<string, unknown>>
}

/** Sorts the arguments of a method: path parameters, body, query, options. */
export function toCall(row: Row, values: readonly unknown[]): Call {
  const names = [...row.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const path = Object.fromEntries(names.map((name, index) => [name, values[index]]))
  const rest = values.slice(names.length)
  const body = row.requestBody === undefined ? undefined : rest.shift()
  const query = Object.keys(row.parameters.query).length === 0 ? undefined : rest.shift()
  const { headers = {}, ...options }: Options = toObject(rest[0])
  return { path, query: toObject(query), header: withIdempotencyKey(row, headers), body, options }
}

// Made once for the call, so that all its attempts carry the same.
function withIdempotencyKey({ parameters }: Row, headers: Readonly<Record<string, unknown>>) {
  const name = Object.keys(parameters.header).find((known) => /^idempotency-key$/i.test(known))
  return name === undefined ? headers : { [name]: crypto.randomUUID(), ...headers }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
