import {
  type JsonObject,
  pointAt,
  pointerKeys,
  toObject,
  toPointer,
} from '../pipeline/description.ts'
import { type Draft, toDraft } from './draft.ts'

const missing = 'There is no such resource, or no such path.'
const notFound = { code: 'not_found', message: 'There is no such resource.', status: 404 }
const content = '#/components/responses/NotFound/content/application~1json'
const violations = [
  { path: '/body/name', message: 'is missing' },
  { path: '/body/count', message: 'must be an integer' },
]

/** Texts and examples of the platform's components that name pets, and what replaces them. */
const neutral: Readonly<Record<string, unknown>> = {
  '#/components/headers/Link/example': '</v1/items?cursor=AAAAAAAAAAE>; rel="next"',
  '#/components/schemas/Error/examples': [notFound],
  '#/components/schemas/Error/properties/message/examples': [notFound.message],
  '#/components/schemas/ErrorDetail/properties/path/description':
    'A JSON Pointer (RFC 6901) into the request: `/body/name`, `/query/limit`, `/path/id`, `/headers/idempotency-key`.',
  '#/components/responses/NotFound/description': missing,
  '#/components/schemas/NotFoundError/description': missing,
  '#/components/schemas/NotFoundError/examples': [notFound],
  [`${content}/examples/notFound`]: { summary: 'No such resource', value: notFound },
  '#/components/responses/InvalidRequest/content/application~1json/examples/invalidRequest/value/details':
    violations,
  '#/components/schemas/InvalidRequestError/examples/0/details': violations,
}

/** Returns the components that every API of the platform has, with neutral texts and examples. */
export function platformComponents(platform: JsonObject): Draft {
  const { headers, responses, schemas, parameters, securitySchemes } = toObject(
    platform['components'],
  )
  const { IdempotencyKey } = toObject(parameters)
  const { apiKey } = toObject(securitySchemes)
  const components = structuredClone({
    securitySchemes: { apiKey },
    parameters: { IdempotencyKey },
    headers,
    responses,
    schemas: errorSchemas(toObject(schemas), responses),
  })
  for (const [pointer, value] of Object.entries(neutral)) {
    const keys = pointerKeys(pointer)
    const holder = pointAt({ components }, toPointer(keys.slice(0, -1)))
    const last = keys.at(-1) ?? ''
    if (last in toDraft(holder)) toDraft(holder)[last] = value
  }
  return components
}

/** Returns the schemas that the responses of the platform refer to, also through others. */
function errorSchemas(schemas: JsonObject, responses: unknown): JsonObject {
  const used = new Set<string>()
  const collect = (node: unknown): void => {
    const references = JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"/]+)"/g)
    for (const [, name = ''] of references) {
      if (used.has(name)) continue
      used.add(name)
      collect(schemas[name])
    }
  }
  collect(responses)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}
