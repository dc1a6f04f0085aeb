import {
  type JsonObject,
  pointAt,
  pointerKeys,
  toObject,
  toPointer,
} from '../pipeline/description.ts'
import { operationsOf } from '../pipeline/operation-places.ts'
import { type Draft, ensure, follow, toDraft } from './draft.ts'

const missing = 'There is no such resource, or no such path.'
const notFound = { code: 'not_found', message: 'There is no such resource.', status: 404 }
const content = '#/components/responses/NotFound/content/application~1json'

/** What the description of this repository illustrates with its own API, and what is said instead. */
const neutral: Readonly<Record<string, unknown>> = {
  '#/components/headers/Link/example': '</v1/items?cursor=AAAAAAAAAAE>; rel="next"',
  '#/components/schemas/Error/examples': [notFound],
  '#/components/schemas/Error/properties/message/examples': [notFound.message],
  '#/components/schemas/ErrorDetail/properties/path/description':
    'A JSON Pointer (RFC 6901) into the request: `/body/name`, `/query/limit`, `/path/id`, `/headers/idempotency-key`.',
  '#/components/responses/NotFound/description': missing,
  [`${content}/schema/description`]: missing,
  [`${content}/examples/notFound`]: { summary: 'No such resource', value: notFound },
  '#/components/responses/InvalidRequest/content/application~1json/examples/invalidRequest/value/details':
    [
      { path: '/body/name', message: 'is missing' },
      { path: '/body/count', message: 'must be an integer' },
    ],
}

/** Returns the components that every API of the platform has, with examples of no API in particular. */
export function platformComponents(platform: JsonObject): Draft {
  const { headers, responses, schemas, parameters, securitySchemes } = toObject(
    platform['components'],
  )
  const { Error: error, ErrorCode, ErrorDetail } = toObject(schemas)
  const { IdempotencyKey } = toObject(parameters)
  const { apiKey } = toObject(securitySchemes)
  const components = structuredClone({
    ...{ securitySchemes: { apiKey }, parameters: { IdempotencyKey }, headers, responses },
    schemas: { Error: error, ErrorCode, ErrorDetail },
  })
  for (const [pointer, value] of Object.entries(neutral)) {
    const keys = pointerKeys(pointer)
    const holder = pointAt({ components }, toPointer(keys.slice(0, -1)))
    const last = keys.at(-1) ?? ''
    if (last in toDraft(holder)) toDraft(holder)[last] = value
  }
  return components
}

const commonHeaders = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'],
]
const commonResponses = {
  401: 'Unauthorized',
  406: 'NotAcceptable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}
const bodyResponses = { 413: 'PayloadTooLarge', 415: 'UnsupportedMediaType' }
const keyResponses = { 409: 'IdempotencyInProgress', 422: 'IdempotencyKeyReused' }

/** Writes the common headers and responses into every operation. */
export function addCommonResponses(root: Draft): void {
  for (const place of operationsOf(root)) {
    const operation = toDraft(place.operation)
    const hasBody = operation['requestBody'] !== undefined
    const names: Record<string, string> = {
      400: hasBody ? 'InvalidRequest' : 'InvalidParameters',
      ...commonResponses,
      ...(hasBody && bodyResponses),
      ...(hasIdempotencyKey(root, operation) && keyResponses),
    }
    const responses = ensure(operation, 'responses')
    for (const [status, name] of Object.entries(names)) {
      responses[status] ??= { $ref: `#/components/responses/${name}` }
    }
    for (const value of Object.values(responses)) {
      const headers = ensure(follow(root, value), 'headers')
      for (const name of commonHeaders) headers[name] ??= { $ref: `#/components/headers/${name}` }
    }
  }
}

/** Adds the headers of deprecated operations to their responses. */
export function addDeprecationHeaders(root: Draft): void {
  const deprecated = operationsOf(root).filter(({ operation }) => operation['deprecated'] === true)
  for (const { operation } of deprecated) {
    for (const response of Object.values(toDraft(operation['responses']))) {
      const headers = ensure(follow(root, response), 'headers')
      for (const name of ['Deprecation', 'Sunset', 'Link']) {
        headers[name] ??= { $ref: `#/components/headers/${name}` }
      }
    }
  }
}

/** Returns whether an operation has the platform's Idempotency-Key. */
export function hasIdempotencyKey(root: JsonObject, { parameters }: JsonObject): boolean {
  const all = Array.isArray(parameters) ? parameters : []
  return all.some((one) => follow(root, one)['name'] === 'Idempotency-Key')
}
