import type { Shape } from '../description/value-shape.ts'

/** The location of a parameter in a request, as OpenAPI names it. */
type ParameterLocation = 'path' | 'query' | 'header' | 'cookie'

/** One row of a generated `parameters` table. */
export interface Parameter extends Shape {
  readonly required: boolean
  readonly format?: string
  /** Set if the text of the value is JSON. */
  readonly content?: 'json'
  /** How an array or an object is written; that of its location unless set (OpenAPI, "Style Values"). */
  readonly style?:
    | 'form'
    | 'spaceDelimited'
    | 'pipeDelimited'
    | 'deepObject'
    | 'label'
    | 'matrix'
    | 'cookie'
  /** Whether each item or member is written by itself; true for `form` and `cookie` unless set. */
  readonly explode?: boolean
  /** Whether reserved characters need no percent-encoding in the query. */
  readonly allowReserved?: boolean
  /** Whether a query may have the parameter without a value. */
  readonly allowEmptyValue?: boolean
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

/** A field of a form: one that is not sent in parts is read as a parameter of a query. */
export interface FormField extends Parameter {
  /** Whether it may be sent several times: its value is the list of what was sent. */
  readonly list?: true
  /** Whether it is a file. */
  readonly file?: true
  /** The media types that a part of it may have; any unless set. */
  readonly mediaTypes?: readonly string[]
  /** The largest file, in bytes. */
  readonly maxBytes?: number
}

/** The request body of an operation. */
export interface RequestBody {
  readonly required: boolean
  readonly mediaTypes: readonly string[]
  /** Those of the media types that are ranges with a schema, which applies to JSON: other content is 415. */
  readonly jsonRanges?: readonly string[]
  /** The fields of the media types that are forms, by the media type and the name. */
  readonly forms?: Readonly<Record<string, Readonly<Record<string, FormField>>>>
  /** The largest body, in bytes, as sent and as decompressed. */
  readonly maxBytes?: number
  /** Whether integers of 64 bits may have values that double precision does not hold. */
  readonly acceptsLargeIntegers?: boolean
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
  readonly deprecation?: Deprecation
  /** Why the service does not serve it: its response is 501. */
  readonly unserved?: string
}
