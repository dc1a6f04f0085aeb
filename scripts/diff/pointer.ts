import { dereference, type JsonObject, toObject } from '../pipeline/description.ts'

/** Where the answers that no operation gives stand while two descriptions are compared. */
export const outsidePath = '/(outside operations)'

/** The keys that a JSON Pointer in a URI fragment goes through. */
export function toSegments(pointer: string): readonly string[] {
  return pointer
    .replace(/^#?\/?/, '')
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** A JSON Pointer to a key of what another one points at. */
export function toChild(pointer: string, key: string): string {
  return `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** What stands at the end of some keys, `$ref` not followed. */
export function valueAt(root: unknown, segments: readonly string[]): unknown {
  return segments.reduce<unknown>(
    (value, key) => (Array.isArray(value) ? value[Number(key)] : toObject(value)[key]),
    root,
  )
}

/** Where something is, for people: `GET /orders`, `components.schemas.Order` or `info`. */
export function toPlace(pointer: string): string {
  const [room = 'the description', name, method] = toSegments(pointer)
  if (name === undefined) return room
  if (name === outsidePath) return 'outside operations'
  if (room === 'paths') return method === undefined ? name : `${method.toUpperCase()} ${name}`
  return room === 'components' && method !== undefined ? `components.${name}.${method}` : room
}

/** The words for what a pointer points at, such as "`name` of `Order`". */
export function toSubject(root: JsonObject, pointer: string): string {
  const segments = toSegments(pointer)
  const parts: string[] = []
  for (const index of segments.keys()) {
    const part = toPart(root, segments.slice(0, index + 1))
    if (part !== undefined) parts.unshift(part)
  }
  return parts.join(' of ') || toPlace(pointer)
}

function toPart(root: JsonObject, segments: readonly string[]): string | undefined {
  const [room, kind, third] = segments
  const [parent, key = ''] = segments.slice(-2)
  const node = valueAt(root, segments)
  if (parent === 'parameters') return nameParameter(dereference(root, node), key)
  if (room === 'components' && segments.length === 3) {
    return kind === 'headers' ? `the header \`${third}\`` : `\`${third}\``
  }
  if (parent === 'properties' || parent === 'patternProperties') return `\`${key}\``
  if (parent === 'headers') return `the header \`${key}\``
  if (parent === 'responses') return key === 'default' ? 'the answer' : `the answer ${key}`
  if (parent === 'content') return undefined
  if (key === 'requestBody') return 'the body'
  return key === 'items' ? 'each item' : undefined
}

function nameParameter({ name, in: place }: JsonObject, key: string): string {
  return typeof name === 'string'
    ? `the ${String(place)} parameter \`${name}\``
    : `parameter ${key}`
}
