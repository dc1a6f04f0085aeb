export type Query = Readonly<Record<string, unknown>>

/** How the parameters of an operation are written that are not as usual, such as `{ 'query ids': 'form' }`. */
export type Styles = Readonly<Record<string, string>>

/** The values of the parameters of a call; in JavaScript, header fields may be `Headers` or pairs. */
export interface ParameterValues {
  readonly path: Query
  readonly query: Query
  readonly headers?: object | undefined
  readonly cookies?: object | undefined
}

/** The parameters of a call as openapi-fetch takes them, with functions if it does not write them itself. */
export interface WrittenParameters {
  readonly params: { readonly path: Query; readonly query: Query; readonly header: object }
  readonly pathSerializer?: (url: string) => string
  readonly querySerializer?: () => string
}

/** Writes the parameters of a call; throws a `TypeError` if one cannot be sent. */
export type WriteParameters = (
  operationId: string,
  values: ParameterValues,
  styles?: Styles,
) => WrittenParameters

/** Writes parameters as usual: texts, and lists of texts in the query, as openapi-fetch writes them. */
export const writeUsual: WriteParameters = (operationId, { path, query, headers }) => {
  checkPath(operationId, path)
  return { params: { path, query, header: toFields(headers) } }
}

/** Throws a `TypeError` if a path parameter is empty, or a dot segment, which would change the path. */
export function checkPath(operationId: string, path: Query): void {
  for (const [name, value] of Object.entries(path)) {
    if (['', '.', '..'].includes(String(value ?? ''))) {
      throw new TypeError(`${operationId} needs ${name}, which must not be empty, '.' or '..'.`)
    }
  }
}

/** Returns header fields as they are, by name where JavaScript gives `Headers` or pairs. */
export function toFields(headers: object = {}): object {
  return Symbol.iterator in headers ? Object.fromEntries(new Headers(headers as Headers)) : headers
}
