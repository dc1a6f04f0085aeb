import type { ErrorObject } from 'ajv/dist/2020.js'
import type { Response } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { isObject, memberOf } from '../description/json.ts'
import { pointerKeys, unescapeToken } from '../description/pointer.ts'

/** A response object, and the keys that lead to it from the root of its description. */
interface PlacedResponse {
  readonly declared: Response
  readonly keys: readonly string[]
  readonly mediaType: string
}

/** Returns the name of the header that an error is about; undefined if it is about something else. */
export function headerOf({ instancePath, params }: ErrorObject): string | undefined {
  const [, location, name] = instancePath.split('/').map(unescapeToken)
  if (location !== 'headers') {
    return undefined
  }
  return name ?? params['missingProperty'] ?? params['additionalProperty']
}

/** Returns the keys, through references, to the part of a description that an error of a response is about. */
export function placeOf(
  documents: Documents,
  { declared, keys, mediaType }: PlacedResponse,
  error: ErrorObject,
): readonly string[] {
  const { schemaPath } = error
  const component = schemaPath.indexOf('#/components/')
  if (component !== -1) {
    return pointerKeys(schemaPath.slice(component))
  }
  const path = pointerKeys(schemaPath)
  const [start, part, ...rest] = path
  if (start === 'properties' && part === 'mediaType') {
    return [...keys, 'content']
  }
  if (start === 'properties' && part === 'headers') {
    return [...keys, 'headers', ...keysInHeader(headerOf(error), rest)]
  }
  const content = [...keys, 'content', mediaType, 'schema']
  if (start === 'properties' && part === 'body') {
    return [...content, ...rest.slice(2)]
  }
  const ofType = declared.content.find(({ name }) => name === mediaType)
  return findReferred(documents, ofType?.schema?.value, path) ?? content
}

function keysInHeader(name: string | undefined, path: readonly string[]): readonly string[] {
  if (name === undefined) {
    return []
  }
  // Its schema is wrapped: properties, name, allOf, 0.
  const keyword = path.slice(4)
  return keyword.length === 0 ? [name] : [name, 'schema', ...keyword]
}

/**
 * Returns the keys to a part of a schema that another one refers to. Ajv names the part alone; it is taken for
 * that of the first schema that has such a part.
 */
function findReferred(
  documents: Documents,
  schema: unknown,
  part: readonly string[],
): readonly string[] | undefined {
  const references = new Set(referencesIn(schema))
  // The loop also visits what it adds.
  for (const $ref of references) {
    const target = documents.tryNext({ ...documents.root, value: { $ref } })?.value
    if (part.reduce(memberOf, target) !== undefined) {
      return [...pointerKeys($ref), ...part]
    }
    for (const next of referencesIn(target)) {
      references.add(next)
    }
  }
  return undefined
}

function referencesIn(node: unknown): readonly string[] {
  if (Array.isArray(node)) {
    return node.flatMap(referencesIn)
  }
  if (!isObject(node)) {
    return []
  }
  const { $ref } = node
  const ofNode = typeof $ref === 'string' ? [$ref] : []
  return [...ofNode, ...Object.values(node).flatMap(referencesIn)]
}
