/** The row of an operation, as far as a call needs it. */
export interface Row {
  readonly operationId: string
  readonly method: string
  readonly path: string
  readonly parameters: {
    readonly path: Readonly<Record<string, unknown>>
    readonly query: Readonly<Record<string, unknown>>
  }
  readonly requestBody?: unknown
}

/** A call in the terms of openapi-fetch. */
export interface Call {
  readonly params: {
    readonly path: Readonly<Record<string, unknown>>
    readonly query: unknown
    readonly header: unknown
  }
  readonly body: unknown
  readonly signal: AbortSignal | undefined
}

interface Options {
  readonly headers?: unknown
  readonly signal?: AbortSignal
}

/** Sorts the arguments of a method: path parameters, body, query, options. */
export function toCall(row: Row, values: readonly unknown[]): Call {
  const names = [...row.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name)
  const path = Object.fromEntries(names.map((name, index) => [name, values[index]]))
  const rest = values.slice(names.length)
  const body = row.requestBody === undefined ? undefined : rest.shift()
  const query = Object.keys(row.parameters.query).length === 0 ? undefined : rest.shift()
  const [options] = rest
  const { headers, signal }: Options = isOptions(options) ? options : {}
  return { params: { path, query, header: headers }, body, signal }
}

function isOptions(value: unknown): value is Options {
  return typeof value === 'object' && value !== null
}
