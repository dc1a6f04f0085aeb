import type { Documents } from './documents.ts'
import type { JsonObject } from './json.ts'
import type { Located, Location } from './location.ts'
import type { Pagination } from './pagination.ts'
import type { Security, SecurityScheme } from './security.ts'
import type { Server } from './servers.ts'

/** What every part of a description has. */
export interface DescriptionPart {
  readonly at: Location
  /** What people read: descriptions, summaries and the like. */
  readonly texts: JsonObject
  readonly examples: JsonObject
  /** Keywords that the model does not know, extensions among them. */
  readonly others: JsonObject
}

/** A description of an API in OpenAPI 3, with references resolved and what is inherited written out. */
export interface Description {
  readonly documents: Documents
  /** The version of OpenAPI, such as `3.1.0`. */
  readonly version: string
  /** The version of the API, such as `1.0.0`. */
  readonly apiVersion: string
  readonly root: DescriptionPart
  readonly info: DescriptionPart
  readonly tags: readonly Tag[]
  readonly servers: readonly Server[]
  readonly security: Security
  readonly securitySchemes: ReadonlyMap<string, SecurityScheme>
  readonly operations: readonly Operation[]
  /** What the API requests of its consumers. */
  readonly webhooks: readonly Operation[]
  /** Responses to what matches no operation. */
  readonly undeclared: readonly Response[]
  /** The response to bytes that are no HTTP request. */
  readonly malformed: Response | undefined
  /** The components by kind, such as `schemas`, and by name. */
  readonly components: ReadonlyMap<string, ReadonlyMap<string, Located>>
}

export interface Tag extends DescriptionPart {
  readonly name: string
}

export interface Operation extends DescriptionPart {
  /** Such as `GET /orders`. */
  readonly name: string
  readonly method: string
  readonly path: string
  readonly operationId: string | undefined
  /** Its name in code, where that is not the operationId. */
  readonly codeName: string | undefined
  readonly tags: readonly string[]
  readonly deprecation: Deprecation
  readonly pagination: Pagination | undefined
  readonly security: Security
  readonly servers: readonly Server[]
  readonly hasOwnServers: boolean
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  readonly responses: readonly Response[]
  readonly callbacks: readonly Operation[]
}

export interface Deprecation {
  readonly isDeprecated: boolean
  readonly since: unknown
  readonly sunset: string | undefined
  readonly replacement: JsonObject
}

/** How the value of a parameter or a header is written. */
export type ValueForm = {
  readonly style: string
  readonly explode: boolean
  readonly allowReserved: boolean
  readonly allowEmptyValue: boolean
}

export interface Parameter extends DescriptionPart {
  /** Where it is listed, which may be a reference to it. */
  readonly entry: Location
  readonly name: string
  readonly location: string
  readonly isRequired: boolean
  readonly deprecation: Deprecation
  /** How its value is written, with the defaults of OpenAPI. */
  readonly form: ValueForm
  readonly schema: Located | undefined
  readonly content: readonly MediaType[]
}

export interface Body extends DescriptionPart {
  readonly isRequired: boolean
  readonly maxBytes: number | undefined
  readonly content: readonly MediaType[]
}

export interface Response extends DescriptionPart {
  readonly entry: Location
  /** Such as `404`, `5XX` or `default`. */
  readonly status: string
  /** Whether it describes successes (1xx to 3xx), as `default` does where no other response does. */
  readonly isSuccess: boolean
  readonly headers: readonly Header[]
  readonly content: readonly MediaType[]
  readonly links: unknown
}

export interface Header extends DescriptionPart {
  readonly entry: Location
  readonly name: string
  readonly isRequired: boolean
  readonly deprecation: Deprecation
  readonly form: ValueForm
  readonly schema: Located | undefined
  readonly content: readonly MediaType[]
}

export interface MediaType extends DescriptionPart {
  readonly name: string
  /** The same for names that mean the same. */
  readonly key: string
  readonly schema: Located | undefined
  /** The schema of each item of a stream. */
  readonly itemSchema: Located | undefined
  readonly encoding: unknown
}
