import type { Header, Operation, Response } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { isJsonContent, valueSchemaOf } from '../../server/description/parameter-form.ts'
import { readShape, type Shape } from '../../server/description/value-shape.ts'
import { clientExports } from './client-exports.ts'

/**
 * What the platform sends, in lower case: the client has it as `rateLimit`, `requestId` and `next`, reports it,
 * or does what it says.
 */
const ofPlatform: ReadonlySet<string> = new Set([
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'x-request-id'],
  ...['cache-control', 'x-content-type-options', 'idempotent-replayed', 'retry-after'],
  ...['deprecation', 'sunset', 'link'],
  // OpenAPI ignores it: the media types of the content are what it may be.
  'content-type',
])

/** Returns the responses of an operation that are results. */
export function resultsOf({ responses }: Operation): readonly Response[] {
  return responses.filter(({ status, isSuccess }) => isSuccess && !/^(?:1|304)/.test(status))
}

/** Returns the headers of the results of an operation that the API has beside those of the platform, by name. */
export function ownHeadersOf(operation: Operation): readonly Header[] {
  const headers = resultsOf(operation).flatMap((response) => response.headers)
  const ofApi = headers.filter(({ name }) => !ofPlatform.has(name.toLowerCase()))
  const byName = Map.groupBy(ofApi, ({ name }) => name)
  return [...byName.values()].flatMap(([first]) => first ?? [])
}

/** Returns how the headers of an operation are read; nothing if the API has none of its own. */
export function readHeaderRows(operation: Operation, documents: Documents) {
  const headers = ownHeadersOf(operation)
  if (headers.length === 0) {
    return {}
  }
  const kinds = headers.map((header) => [header.name, readKind(header, documents)] as const)
  const isSimple = kinds.every(([, kind]) => {
    return typeof kind === 'string' ? kind !== 'json' : 'items' in kind
  })
  const { readHeaders, readStructuredHeaders } = clientExports
  const read = isSimple ? readHeaders : readStructuredHeaders
  return { headers: { kinds: Object.fromEntries(kinds), read } }
}

/** Returns how a value is read: its types in the style `simple`, its items or members, or JSON. */
function readKind(header: Header, documents: Documents) {
  if (isJsonContent(header)) {
    return 'json'
  }

  const shape = readShape(valueSchemaOf(header), documents)
  const types = typesOf(shape)
  if (types.includes('array')) {
    return { items: textTypes(shape.items) }
  }
  if (!types.includes('object')) {
    return textTypes(shape)
  }
  const members = Object.entries(shape.properties ?? {}).map(([name, member]) => {
    return [name, textTypes(member)] as const
  })
  const otherMembers = shape.additionalProperties === false ? undefined : shape.additionalProperties
  return {
    members: Object.fromEntries(members),
    ...(otherMembers !== undefined && { others: textTypes(otherMembers) }),
    ...(header.form.explode && { explode: true }),
  }
}

/** Returns the types that a text may be read as, such as `number`; `string` if the schema names none. */
function textTypes(shape: Shape = {}): string {
  const types = typesOf(shape).map((type) => (type === 'integer' ? 'number' : type))
  const read = [...new Set(types)].filter((type) => ['number', 'boolean', 'string'].includes(type))
  return read.join(' ') || 'string'
}

function typesOf({ type = [] }: Shape): readonly string[] {
  return [type].flat()
}
