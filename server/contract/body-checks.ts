import { type Description, fieldNamesOf, isObject } from './description.ts'
import { boundEcho, toDetails, withoutDuplicates } from './details.ts'
import type { Detail } from './errors.ts'
import type { Input, OperationId } from './handler.ts'
import { parseIJson } from './i-json.ts'
import { defaultMaxBytes, malformedBody, tooLarge } from './json-body.ts'
import { MessageSchemas } from './message-schemas.ts'
import type { Operation } from './operation.ts'

/** A valid body, or the details that the response to it would list. */
export type CheckedBody<Body> = { readonly body: Body } | { readonly faults: readonly Detail[] }

/** Validates bodies as the service validates those of requests to one operation. */
export interface BodyChecks<Body> {
  /** The largest body, in bytes. */
  readonly maxBytes: number
  /** The detail of a body that is larger. */
  readonly tooLarge: Detail
  /** Validates a value. */
  readonly check: (value: unknown) => CheckedBody<Body>
  /** Parses a text as I-JSON and validates its value. */
  readonly read: (text: Uint8Array) => CheckedBody<Body>
}

/** The operation to validate bodies for. */
export interface DescribedOperation<Id extends OperationId> {
  readonly description: Description
  readonly operation: Operation & { readonly operationId: Id }
}

/**
 * Returns functions that validate the bodies of an operation. Members of the names in `leftOut` are
 * dropped before a body is validated.
 */
export function createBodyChecks<Id extends OperationId>(
  { description, operation }: DescribedOperation<Id>,
  leftOut: ReadonlySet<string> = new Set(),
): BodyChecks<Input<Id>['body']> {
  const schemas = new MessageSchemas(description)
  const fieldNames = fieldNamesOf(description)
  const { maxBytes = defaultMaxBytes } = operation.requestBody ?? {}
  const tooLargeHere = { path: place, message: tooLarge(maxBytes).message }

  function check(sent: unknown): CheckedBody<Input<Id>['body']> {
    const body = without(sent, leftOut)
    const validate = schemas.requestBody(operation)
    // The type is generated from the same schema.
    if (validate({ body })) return { body: body as Input<Id>['body'] }
    const details = withoutDuplicates(toDetails(validate.errors))
    return { faults: boundEcho(details, body, (name) => fieldNames.has(name)) }
  }

  return {
    maxBytes,
    tooLarge: tooLargeHere,
    check,
    read(text) {
      if (text.length > maxBytes) return { faults: [tooLargeHere] }
      const parsed = parseIJson(text)
      if ('value' in parsed) return check(parsed.value)
      const { offset, message } = parsed.error
      return { faults: malformedBody('', offset, message).details }
    },
  }
}

const place = '/body'

function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (names.size === 0 || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
}
