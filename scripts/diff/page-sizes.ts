import { dereference, type JsonObject, toList, toObject } from '../pipeline/description.ts'
import { operationsOf, type Place } from '../pipeline/operation-places.ts'
import { toChild } from './pointer.ts'

/** Returns the largest page that clients may request, by the pointer to the schema of the page. */
export function readPageSizes(root: JsonObject): ReadonlyMap<string, number> {
  const sizes = operationsOf(root).flatMap((place): [string, number][] => {
    if (place.operation['x-paginated-by'] === undefined) return []
    const size = largestInQuery(root, place)
    return pagesOf(root, place).map((pointer) => [pointer, size])
  })
  return new Map(sizes.sort(([, one], [, other]) => one - other))
}

// No keyword names the parameter that is the limit, so the largest maximum of them all counts.
function largestInQuery(root: JsonObject, { pathItem, operation }: Place): number {
  const rows = [...toList(pathItem['parameters']), ...toList(operation['parameters'])]
  const bounds = rows
    .map((row) => dereference(root, row))
    .filter((row) => row['in'] === 'query')
    .map((row) => dereference(root, row['schema']))
    .filter(({ type }) => type === 'integer')
    .map(({ maximum }) => (typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY))
  return bounds.length === 0 ? Number.POSITIVE_INFINITY : Math.max(...bounds)
}

function pagesOf(root: JsonObject, { path, method, operation }: Place): string[] {
  const response = toObject(operation['responses'])['200']
  const here = ['paths', path, method, 'responses', '200'].reduce(toChild, '#')
  const content = toChild(referenceOf(response) ?? here, 'content')
  const media = Object.entries(toObject(dereference(root, response)['content']))
  return media.map(([type, value]) => {
    return referenceOf(toObject(value)['schema']) ?? [type, 'schema'].reduce(toChild, content)
  })
}

function referenceOf(value: unknown): string | undefined {
  const { $ref } = toObject(value)
  return typeof $ref === 'string' ? $ref : undefined
}
