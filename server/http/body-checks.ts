import { createCompiler, type Validate } from '../contract/ajv.ts'
import { declaredNames } from '../contract/declared-names.ts'
import { toDetails, truncateDetails } from '../contract/details.ts'
import { ApiError, type Detail } from '../contract/errors.ts'
import { parseIJson } from '../contract/i-json.ts'
import { requestSchema } from '../contract/message-schemas.ts'
import type { Operation } from '../contract/operation.ts'
import type { Description } from '../description/description.ts'
import { isObject } from '../description/json.ts'
import { isJsonType } from '../description/media-types.ts'
import { defaultMaxBytes, tooLarge } from './body/size-limit.ts'

/** A valid body, or the details that the response to it would list. */
export type CheckedBody<Body> = { readonly body: Body } | { readonly violations: readonly Detail[] }

/** Validates bodies as the service validates those of requests to one operation. */
export class BodyChecks<Body> {
  /** The largest body, in bytes. */
  readonly maxBytes: number
  readonly #validate: Validate
  readonly #knownNames: ReadonlySet<string>
  readonly #ignored: ReadonlySet<string>

  /** Members of the names in `ignored` are dropped before a body is validated. */
  constructor(description: Description, operation: Operation, ignored: ReadonlySet<string>) {
    const { mediaTypes = [], maxBytes = defaultMaxBytes } = operation.requestBody ?? {}
    this.maxBytes = maxBytes
    const schema = requestSchema(description, operation, mediaTypes.find(isJsonType))
    this.#validate = createCompiler(description.documents, 'request')(schema)
    this.#knownNames = declaredNames(description.documents.root.value)
    this.#ignored = ignored
  }

  /** Validates a value; `Body` is the type that is generated from its schema. */
  check(value: unknown): CheckedBody<Body> {
    const isKept = ([name]: [string, unknown]) => !this.#ignored.has(name)
    const body = isObject(value) ? Object.fromEntries(Object.entries(value).filter(isKept)) : value
    if (this.#validate({ body })) {
      return { body: body as Body }
    }
    const details = toDetails(this.#validate.errors)
    return { violations: truncateDetails(details, this.#knownNames) }
  }

  /** Parses a text as I-JSON and validates its value. */
  read(text: Uint8Array): CheckedBody<Body> {
    const { maxBytes } = this
    if (text.length > maxBytes) {
      return { violations: [{ path: '/body', message: tooLarge(maxBytes).message }] }
    }
    try {
      return this.check(parseIJson(text))
    } catch (error) {
      if (error instanceof ApiError) {
        return { violations: error.details }
      }
      throw error
    }
  }
}
