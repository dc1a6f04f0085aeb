import type { ErrorObject } from 'ajv/dist/2020.js'
import {
  type Description,
  escapeToken,
  follow,
  isObject,
  type Json,
  lookUp,
  type ResponseObject,
  unescapeToken,
} from './description.ts'

/** A response object, and the keys that lead to it from the root of its description. */
export interface PlacedResponse {
  readonly declared: ResponseObject
  readonly keys: readonly string[]
  readonly mediaType: string
}

/** Returns the name of the header that an error is about; undefined if it is about something else. */
export function headerOf({ instancePath, params }: ErrorObject): string | undefined {
  const [, location, name] = instancePath.split('/').map(unescapeToken)
  if (location !== 'headers') return undefined
  return name ?? params['missingProperty'] ?? params['additionalProperty']
}

/** Returns the keys, through references, to the part of a description that an error of a response is about. */
export function placeOf(
  description: Description,
  { declared, keys, mediaType }: PlacedResponse,
  error: ErrorObject,
): readonly string[] {
  const { schemaPath } = error
  const component = schemaPath.indexOf('#/components/')
  if (component !== -1) return toKeys(schemaPath.slice(component))
  const [start, part, ...rest] = toKeys(schemaPath)
  if (start === 'properties' && part === 'mediaType') return [...keys, 'content']
  if (start === 'properties' && part === 'headers') {
    const name = headerOf(error)
    if (name === undefined) return [...keys, 'headers']
    const [, , , , ...keyword] = rest
    // Its schema is wrapped: properties, name, allOf, 0.
    return [...keys, 'headers', name, ...(keyword.length === 0 ? [] : ['schema', ...keyword])]
  }
  const content = [...keys, 'content', mediaType, 'schema']
  if (start === 'properties' && part === 'body') return [...content, ...rest.slice(2)]
  const referred = findReferred(
    description,
    declared.content?.[mediaType]?.schema,
    toKeys(schemaPath),
  )
  return referred ?? content
}

/**
 * Returns the keys to a part of a schema that another one refers to. Ajv names the part alone; it is taken for
 * that of the first schema that has such a part.
 */
function findReferred(
  description: Description,
  schema: Json | undefined,
  part: readonly string[],
): readonly string[] | undefined {
  const references = new Set(referencesIn(schema))
  // The loop also visits what it adds.
  for (const reference of references) {
    const target = lookUp(description, reference)
    const found = part.reduce<unknown>((node, key) => Object(node)[key], target)
    if (found !== undefined) return [...toKeys(reference), ...part]
    for (const next of referencesIn(target)) references.add(next)
  }
  return undefined
}

function referencesIn(node: Json | undefined): string[] {
  if (Array.isArray(node)) return node.flatMap((item) => referencesIn(item))
  if (!isObject(node)) return []
  const { $ref } = node
  const own = typeof $ref === 'string' ? [$ref] : []
  return [...own, ...Object.values(node).flatMap((child) => referencesIn(child))]
}

function toKeys(pointer: string): string[] {
  const [, ...tokens] = pointer.split('/')
  return tokens.map((token) => unescapeToken(decodeURIComponent(token)))
}

/** Returns the JSON Pointer to the part of a description that keys lead to, as far as there is one. */
export function pointerTo(description: Description, keys: readonly string[]): string {
  let node: Json | undefined = description
  let pointer = '#'
  for (const key of keys) {
    const reference = isObject(node) ? node['$ref'] : undefined
    if (typeof reference === 'string') pointer = reference
    const parent: unknown = Array.isArray(node) ? node : follow(description, node)
    const child: Json | undefined = Object(parent)[key]
    if (child === undefined) return pointer
    node = child
    pointer += `/${escapeToken(key)}`
  }
  return pointer
}
