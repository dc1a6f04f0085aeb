import type { CommonCallOptions } from './call-options.ts'

/** How an operation is called, as `generated/calls.ts` says. */
export interface Row {
  readonly operationId: string
  readonly method: string
  readonly path: string
  /** Whether it has query parameters. */
  readonly query?: boolean
  /** Whether it takes a request body. */
  readonly body?: boolean
  /** Whether an `Idempotency-Key` makes it safe to repeat. */
  readonly idempotent?: boolean
  /** The query parameter that leads from page to page. */
  readonly cursor?: string
  /** What to use instead of a deprecated operation. */
  readonly replacement?: string
}

/** The field that makes a request safe to repeat. */
export const keyName = 'idempotency-key'

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
export function createSorter({ path, body, query, idempotent }: Row) {
  const names = [...path.matchAll(/\{(.+?)\}/g)]
  return (values: unknown[]): Call => {
    const call = {
      path: Object.fromEntries(names.map(([, name]) => [name, values.shift()])),
      body: body && values.shift(),
      query: toObject(query && values.shift()),
    }
    const { headers, ...options }: Options = toObject(values[0])
    const header = { ...headers }
    const isKey = (name: string) => header[name] && name.toLowerCase() === keyName
    // Made once for the call, so that all its attempts carry the same.
    if (idempotent && !Object.keys(header).some(isKey)) header[keyName] = createKey()
    return { ...call, header, options }
  }
}

// Not `randomUUID`, which pages without TLS lack.
function createKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

function toObject(value: unknown): Values {
  return Object(value)
}
