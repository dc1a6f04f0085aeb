import { dereference, type JsonObject, toList, toObject } from '../description.ts'
import type { Place } from '../operation-places.ts'
import { Doubt } from './doubt.ts'
import { schemaOfParameter } from './whole-parameter.ts'

const places = { path: 'path', query: 'query', header: 'headers', cookie: 'cookies' } as const

/** A segment of a path that the validator takes apart as the service does. */
const plainSegment = /^[\w.~:-]*(?:\{[A-Za-z_]\w*\}(?:[.~:-][\w.~:-]*)?)?$/

/**
 * The schema of all that an operation gets: an object of `path`, `query`, `headers` (by lower-case
 * name), `cookies` and `body`. No value fits that is not in its plainest form.
 */
export function schemaOfRequest(
  root: JsonObject,
  { path, pathItem, operation }: Place,
): JsonObject {
  if (!path.split('/').every((segment) => plainSegment.test(segment))) {
    throw new Doubt('Its path may be read in another way.')
  }
  const rows = [...toList(pathItem['parameters']), ...toList(operation['parameters'])]
  const found = new Map<string, JsonObject>()
  for (const row of rows.map((row) => dereference(root, row))) {
    // A parameter of the operation takes the place of one of the path.
    found.set(`${row['in']} ${row['name']}`, row)
  }
  const fields = Object.entries(places).map(([place, name]) => {
    const here = [...found.values()].filter((row) => row['in'] === place)
    return [name, schemaOfParameters(root, here)]
  })
  const { schema, isRequired } = bodyOf(root, operation)
  const properties = { ...Object.fromEntries(fields), body: schema }
  return { type: 'object', properties, required: isRequired ? ['body'] : [] }
}

function schemaOfParameters(root: JsonObject, rows: readonly JsonObject[]): JsonObject {
  const nameOf = ({ in: place, name }: JsonObject) =>
    place === 'header' ? String(name).toLowerCase() : String(name)
  const fields = rows.map((row) => [nameOf(row), schemaOfParameter(root, row)])
  const required = rows.filter((row) => row['required'] === true).map(nameOf)
  return { type: 'object', properties: Object.fromEntries(fields), required }
}

function bodyOf(root: JsonObject, { requestBody }: JsonObject) {
  if (requestBody === undefined) return { schema: false, isRequired: false }
  const { content, required } = dereference(root, requestBody)
  const [[mediaType, only] = [], ...others] = Object.entries(toObject(content))
  // The validator makes other values of a form.
  const isPlain = others.length === 0 && /^[^;]*[/+]json$/.test(String(mediaType))
  const schema = isPlain ? (toObject(only)['schema'] ?? false) : false
  return { schema, isRequired: required === true }
}
