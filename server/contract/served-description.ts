import { type Description, follow, isObject, type Json, type JsonObject } from './description.ts'
import { limitHeaders, preferHeaders } from './headers.ts'
import type { Operation } from './operation.ts'

/** How a service is configured, as far as its responses show it. */
export interface ServiceSetup {
  /** Whether rate limits are counted. */
  readonly rateLimits: boolean
  /** The operations for which a mock responds. */
  readonly mocked: readonly Operation[]
}

/**
 * Returns the description of a service as it is configured: the one that it serves, and validates its
 * responses by. Without rate limits, the headers that show them are optional, not removed: a limiter in
 * front of the service may send them, and 429. A mock declares how clients choose its responses.
 */
export function describeService(description: Description, setup: ServiceSetup): Description {
  const { rateLimits, mocked } = setup
  if (rateLimits && mocked.length === 0) return description
  const served = structuredClone(description)
  if (!rateLimits) makeLimitHeadersOptional(served)
  for (const operation of mocked) declarePreferences(served, operation)
  return served
}

function makeLimitHeadersOptional(description: Description): void {
  for (const response of responsesIn(description)) {
    const headers = follow(description, response['headers'])
    for (const name of limitHeaders) {
      const header = follow(description, headers?.[name])
      if (header !== undefined) Reflect.deleteProperty(header, 'required')
    }
  }
}

/** Returns every response object of a description. */
function responsesIn(description: Description): JsonObject[] {
  const { components, paths, 'x-undeclared-operations': undeclared } = description
  const operations = membersOf(description, paths).flatMap((item) => membersOf(description, item))
  const framing = follow(description, description['x-framing-response'])
  return [
    ...membersOf(description, follow(description, components)?.['responses']),
    ...operations.flatMap(({ responses }) => membersOf(description, responses)),
    ...membersOf(description, undeclared),
    ...(framing === undefined ? [] : [framing]),
  ]
}

/** Adds the headers by which clients of a mock choose a response (RFC 7240), unless they are declared. */
function declarePreferences(description: Description, { path, method }: Operation): void {
  const item = follow(description, follow(description, description['paths'])?.[path])
  const operation = follow(description, item?.[method])
  if (operation === undefined) return
  const own = parametersOf(operation)
  const isDeclared = [...own, ...parametersOf(item)].some((parameter) => {
    const { name } = follow(description, parameter) ?? {}
    return String(name).toLowerCase() === preferHeaders.request.toLowerCase()
  })
  if (!isDeclared) Object.assign(operation, { parameters: [...own, preferParameter] })
  for (const response of membersOf(description, operation['responses'])) {
    const headers = follow(description, response['headers']) ?? {}
    if (!(preferHeaders.response in headers)) {
      Object.assign(headers, { [preferHeaders.response]: appliedHeader })
    }
    Object.assign(response, { headers })
  }
}

function parametersOf(holder: JsonObject | undefined): readonly Json[] {
  const parameters = holder?.['parameters']
  return Array.isArray(parameters) ? parameters : []
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

/** Returns the objects that are members of an object, every reference followed. */
function membersOf(description: Description, node: Json | undefined): JsonObject[] {
  const members = Object.values(follow(description, node) ?? {})
  return members.map((member) => follow(description, member)).filter(isObject)
}
