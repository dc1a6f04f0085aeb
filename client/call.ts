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
  /** Other rules for sending it again, where they differ from the client's; `false` for none. */
  readonly retry?: RetryOptions | false
  /** Other times, where they differ from the client's. */
  readonly timeout?: TimeoutOptions
}

type Values = Readonly<Record<string, unknown>>

/** A call, sorted from the arguments of a method. */
export interface Call {
  readonly path: Values
  readonly query: Values
  readonly header: Values
  readonly body: unknown
  readonly options: CommonCallOptions & { readonly maxPages?: number }
}

interface Options extends CommonCallOptions {
  readonly headers?: Values
}

/** Makes what sorts the arguments of a method: path parameters, body, query, options. */
export function createSorter({ path, parameters, requestBody }: Row) {
  const names = Array.from(path.matchAll(/\{([^{}]+)\}/g), ([, name = '']) => name)
  const hasQuery = Object.keys(parameters.query).length > 0
  const keyName = Object.keys(parameters.header).find((name) => /^idempotency-key$/i.test(name))

  return function sort(values: readonly unknown[]): Call {
    const rest = values.slice(names.length)
    const body = requestBody === undefined ? undefined : rest.shift()
    const query = hasQuery ? toObject(rest.shift()) : {}
    const { headers = {}, ...options }: Options = toObject(rest[0])
    return {
      path: Object.fromEntries(names.map((name, index) => [name, values[index]])),
      query,
      // Made once for the call, so that all its attempts carry the same.
      header: keyName === undefined ? headers : { [keyName]: createKey(), ...given(headers) },
      body,
      options,
    }
  }
}

// An undefined key would take the place of ours.
function given(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

// Not `randomUUID`, which pages without TLS lack.
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function toObject(value: unknown): Values {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
