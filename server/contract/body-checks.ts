import type { Detail } from './answer/refusal.ts'
import { type Description, isObject } from './description/description.ts'
import type { Operation } from './description/operation.ts'
import type { Input, OperationId } from './handler.ts'
import { readIJson } from './i-json/i-json.ts'
import { malformedBody, tooLarge } from './request/body-refusals.ts'
import { boundEcho, withoutTwins } from './request/echo.ts'
import { defaultMaxBytes } from './request/request-body.ts'
import { knownNames } from './request/request-checks.ts'
import { toDetails } from './request/validator-faults.ts'
import { openApiChecksOf } from './validator/openapi-validator.ts'

/** A body that keeps the contract, or what an answer to it would list as wrong. */
export type CheckedBody<Body> = { readonly body: Body } | { readonly faults: readonly Detail[] }

/** Says of bodies what the service would say of them in requests to one operation. */
export interface BodyChecks<Body> {
  /** The largest body, in bytes. */
  readonly maxBytes: number
  /** The fault of a body that is larger. */
  readonly tooLarge: Detail
  /** Checks a value. */
  readonly check: (value: unknown) => Promise<CheckedBody<Body>>
  /** Reads a text as I-JSON and checks what it says. */
  readonly read: (text: Uint8Array) => Promise<CheckedBody<Body>>
}

/** Where the operation to check bodies for is described. */
export interface DescribedOperation<Id extends OperationId> {
  readonly description: Description
  readonly basePath: string
  readonly operation: Operation & { readonly operationId: Id }
}

/**
 * Makes the checks of an operation's bodies. Members of the names in `leftOut` are dropped before
 * a body is checked.
 */
export function createBodyChecks<Id extends OperationId>(
  { description, basePath, operation }: DescribedOperation<Id>,
  leftOut: ReadonlySet<string> = new Set(),
): BodyChecks<Input<Id>['body']> {
  const checks = openApiChecksOf(description, basePath, operation)
  const isKnown = knownNames(checks, operation)
  const { mediaTypes = [], maxBytes = defaultMaxBytes } = operation.requestBody ?? {}
  const tooLargeHere = { path: place, message: tooLarge(maxBytes).message }

  async function check(sent: unknown): Promise<CheckedBody<Input<Id>['body']>> {
    const body = without(sent, leftOut)
    const faults: Detail[] = []
    try {
      await checks.body(mediaTypes[0], body)
    } catch (error) {
      const ofBody = toDetails(error, body).filter(({ path }) => path.startsWith(place))
      faults.push(...boundEcho(withoutTwins(ofBody), body, isKnown))
    }
    return isChecked<Input<Id>['body']>(body, faults) ? { body } : { faults }
  }

  return {
    maxBytes,
    tooLarge: tooLargeHere,
    check,
    async read(text) {
      if (text.length > maxBytes) return { faults: [tooLargeHere] }
      const reading = readIJson(text)
      if ('value' in reading) return check(reading.value)
      const { offset, message } = reading.fault
      return { faults: malformedBody('', offset, message).details }
    },
  }
}

const place = '/body'

function without(value: unknown, names: ReadonlySet<string>): unknown {
  if (names.size === 0 || !isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
}

// It was just checked against the schema that the type is compiled from.
function isChecked<Body>(body: unknown, faults: readonly Detail[]): body is Body {
  return body !== undefined && faults.length === 0
}
