import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createCompiler } from './ajv.ts'
import { type Description, fieldNamesOf, isObject } from './description.ts'
import { boundEcho, toDetails } from './details.ts'
import type { Detail } from './errors.ts'
import { parseIJson } from './i-json.ts'
import { defaultMaxBytes, malformedBody, tooLarge } from './json-body.ts'
import { bodySchema } from './message-schemas.ts'
import type { Operation } from './operation.ts'

/** A valid body, or the details that the response to it would list. */
export type CheckedBody<Body> = { readonly body: Body } | { readonly faults: readonly Detail[] }

/** Validates bodies as the service validates those of requests to one operation. */
export class BodyChecks<Body> {
  /** The largest body, in bytes. */
  readonly maxBytes: number
  /** The detail of a body that is larger. */
  readonly tooLarge: Detail
  readonly #validate: ValidateFunction
  readonly #fieldNames: ReadonlySet<string>
  readonly #ignored: ReadonlySet<string>

  /** Members of the names in `ignored` are dropped before a body is validated. */
  constructor(description: Description, operation: Operation, ignored: ReadonlySet<string>) {
    this.maxBytes = operation.requestBody?.maxBytes ?? defaultMaxBytes
    this.tooLarge = { path: '/body', message: tooLarge(this.maxBytes).message }
    this.#validate = createCompiler(description, 'request')(bodySchema(description, operation))
    this.#fieldNames = fieldNamesOf(description)
    this.#ignored = ignored
  }

  /** Validates a value; `Body` is the type that is generated from its schema. */
  check(sent: unknown): CheckedBody<Body> {
    const isKept = ([name]: [string, unknown]) => !this.#ignored.has(name)
    const body = isObject(sent) ? Object.fromEntries(Object.entries(sent).filter(isKept)) : sent
    if (this.#validate({ body })) return { body: body as Body }
    const details = toDetails(this.#validate.errors)
    return { faults: boundEcho(details, (name) => this.#fieldNames.has(name)) }
  }

  /** Parses a text as I-JSON and validates its value. */
  read(text: Uint8Array): CheckedBody<Body> {
    if (text.length > this.maxBytes) return { faults: [this.tooLarge] }
    const parsed = parseIJson(text)
    if ('value' in parsed) return this.check(parsed.value)
    const { offset, message } = parsed.error
    return { faults: malformedBody('', offset, message).details }
  }
}
