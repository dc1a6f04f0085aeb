/** The location of a parameter in a request, as OpenAPI names it. */
type ParameterLocation = 'path' | 'query' | 'header' | 'cookie'

/** One row of a generated `parameters` table. */
export interface Parameter {
  readonly required: boolean
  readonly type?: string | readonly string[]
  readonly items?: string | readonly string[]
  readonly format?: string
  /** How an array is written in the query; `form` unless set. */
  readonly style?: 'form' | 'spaceDelimited' | 'pipeDelimited'
  /** Whether each item of an array has a parameter of its own; true for `form` unless set. */
  readonly explode?: boolean
  /** Whether reserved characters need no percent-encoding in the query. */
  readonly allowReserved?: boolean
  readonly default?: unknown
}

/** The deprecation of an operation. */
export interface Deprecation {
  /** The day of deprecation, as an RFC 3339 full-date. */
  readonly since?: string
  /** The day of removal, as an RFC 3339 full-date. */
  readonly sunset?: string
  readonly replacedBy?: {
    readonly operationId: string
    readonly description?: string
    /** The target of the `Link`, if it is not the path of that operation. */
    readonly url?: string
  }
}

/** The request body of an operation. */
export interface RequestBody {
  readonly required: boolean
  readonly mediaTypes: readonly string[]
  /** The largest body, in bytes, as sent and as decompressed. */
  readonly maxBytes?: number
}

/** One row of the generated `operations` table, for any description. */
export interface Operation {
  /** Its name in code: the operationId, or that of `spec/service.yaml`. */
  readonly operationId: string
  /** In lower case, as OpenAPI writes it. */
  readonly method: string
  /** The path template under the base path, such as `/tools/{name}`. */
  readonly path: string
  /** The security requirements, one of which is enough: scopes by the names of schemes. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: Readonly<Record<ParameterLocation, Readonly<Record<string, Parameter>>>>
  readonly requestBody?: RequestBody
  /** The query parameter that leads from one page to the next. */
  readonly paginatedBy?: string
  readonly deprecation?: Deprecation
  /** Why the service does not serve it: its response is 501. */
  readonly unserved?: string
}
