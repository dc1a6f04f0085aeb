import type {
  Operation as DescribedOperation,
  Description,
  Header,
  Response,
} from '../description/description.ts'
import { readBundled } from '../description/description-reader.ts'
import { type JsonObject, toList, toObject } from '../description/json.ts'
import type { Location } from '../description/location.ts'
import { valueAt } from '../description/pointer.ts'
import { describedOperation, findResponse } from './contract.ts'
import { limitHeaders, preferHeaders } from './headers.ts'
import type { Operation } from './operation.ts'

/** How a service is configured, as far as its responses show it. */
interface ServiceSetup {
  /** Whether rate limits are counted. */
  readonly rateLimits: boolean
  /** The operations for which a mock responds. */
  readonly mocked: readonly Operation[]
  /** Whether another service responds for some operations. */
  readonly isForwarding: boolean
}

/**
 * Returns the description of a service as it is configured: the one that it serves, and validates its
 * responses by. Without rate limits, the headers that show them are optional, not removed: a limiter in
 * front of the service may send them, and 429. A mock declares how clients choose its responses, and 501 for an
 * operation without a sample. Where requests
 * are forwarded, the other service decides on `Cache-Control`.
 */
export function describeService(document: JsonObject, setup: ServiceSetup): JsonObject {
  const { rateLimits, mocked, isForwarding } = setup
  if (rateLimits && mocked.length === 0 && !isForwarding) {
    return document
  }

  const served = structuredClone(document)
  const description = readBundled(served)
  if (!rateLimits) {
    for (const { headers } of allResponses(description)) {
      makeLimitHeadersOptional(headers, served)
    }
  }
  if (isForwarding) {
    for (const { headers } of allResponses(description)) {
      allowAnyCacheControl(headers, served)
    }
  }
  for (const operation of mocked) {
    const described = describedOperation(description, operation)
    declareMissingSample(described, served)
    declarePreferences(described, served)
  }
  return served
}

function allResponses({ operations, undeclared, malformed }: Description): readonly Response[] {
  const responses = [...operations.flatMap((each) => each.responses), ...undeclared]
  return malformed === undefined ? responses : [...responses, malformed]
}

/** Makes the `Cache-Control` of the platform optional, with any value; not one that the API declares. */
function allowAnyCacheControl(headers: readonly Header[], served: JsonObject): void {
  for (const { name, schema, at } of headers) {
    const { enum: values } = toObject(schema?.value)
    const isOfPlatform = name === 'Cache-Control' && toList(values).includes('no-store')
    if (isOfPlatform) {
      const header = objectAt(served, at)
      Reflect.deleteProperty(header, 'required')
      Object.assign(header, {
        description: 'Whether the response may be cached.',
        schema: { type: 'string' },
      })
    }
  }
}

function makeLimitHeadersOptional(headers: readonly Header[], served: JsonObject): void {
  for (const { name, at } of headers) {
    const isOfLimit = limitHeaders.some((ofLimit) => ofLimit === name)
    if (isOfLimit) {
      Reflect.deleteProperty(objectAt(served, at), 'required')
    }
  }
}

/**
 * Adds the 501 of an operation that has neither a handler nor a sample: with the headers and the media types of its
 * 500, and a body in the format of the API's errors.
 */
function declareMissingSample({ responses, at }: DescribedOperation, served: JsonObject): void {
  const failure = findResponse(responses, 500)
  if (failure === undefined || findResponse(responses, 501) !== undefined) {
    return
  }
  const { headers } = objectAt(served, failure.at)
  const content = failure.content.map(({ name }) => [name, {}] as const)
  const missing = {
    description: 'The operation has neither a handler nor a sample.',
    headers: { ...toObject(headers), [preferHeaders.response]: appliedHeader },
    ...(content.length > 0 && { content: Object.fromEntries(content) }),
  }
  const declared = toObject(objectAt(served, at)['responses'])
  Object.assign(objectAt(served, at), { responses: { ...declared, 501: missing } })
}

/** Adds the headers by which clients of a mock choose a response (RFC 7240), unless they are declared. */
function declarePreferences(operation: DescribedOperation, served: JsonObject): void {
  const isDeclared = operation.parameters.some(
    ({ name }) => name.toLowerCase() === preferHeaders.request.toLowerCase(),
  )
  if (!isDeclared) {
    const object = objectAt(served, operation.at)
    const parameters = [...toList(object['parameters']), preferParameter]
    Object.assign(object, { parameters })
  }
  for (const response of operation.responses) {
    declareApplied(response, served)
  }
}

function declareApplied(response: Response, served: JsonObject): void {
  const isDeclared = response.headers.some(({ name }) => name === preferHeaders.response)
  if (isDeclared) {
    return
  }

  const object = objectAt(served, response.at)
  const headers = { ...toObject(object['headers']), [preferHeaders.response]: appliedHeader }
  Object.assign(object, { headers })
}

/** Returns the object at a location, which is changed. */
function objectAt(served: JsonObject, { pointer }: Location): JsonObject {
  return toObject(valueAt(served, pointer))
}

const preferParameter = {
  name: preferHeaders.request,
  in: 'header',
  description: 'Chooses the response of this mock, by `code=404`, or `example=NAME` (RFC 7240).',
  schema: { type: 'string' },
}

const appliedHeader = {
  description: 'The preferences that this mock has applied.',
  schema: { type: 'string' },
}
