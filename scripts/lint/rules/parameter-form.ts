import { type JsonObject, toList } from '../../../server/description/json.ts'
import { type Resolve, readSchema } from '../../pipeline/description.ts'

/** The styles of parameters that the service reads, by their location; the first is the default of OpenAPI. */
const styles: Readonly<Record<string, readonly string[]>> = {
  path: ['simple'],
  header: ['simple'],
  cookie: ['form'],
  query: ['form', 'spaceDelimited', 'pipeDelimited'],
}

/** Returns whether a parameter has a style that the service reads in its location. */
export function hasReadStyle({ in: location, style }: JsonObject): boolean {
  return style === undefined || styles[String(location)]?.includes(String(style)) === true
}

/**
 * Returns the form of a parameter that the service does not read, or undefined if it reads it: values of
 * one simple type, and in the query arrays of them. `resolve` returns an object, or the one that its
 * `$ref` leads to.
 */
export function findUnreadForm(
  { in: location, style, schema, content }: JsonObject,
  resolve: Resolve,
): string | undefined {
  if (content !== undefined) return 'a parameter with content'
  if (!hasReadStyle({ in: location, style })) return `the style ${style} in the ${location}`
  const { type, items } = readSchema(schema, resolve)
  const [only = 'string', ...more] = typesOf(schema, resolve)
  if ([only, ...more].includes('null')) return 'null, which no text is'
  if (more.length > 0) return `values of several types (${[only, ...more].join(', ')})`
  if (type === undefined && only !== 'string')
    return 'an enum, const, anyOf or oneOf with no type beside it'
  if (type === 'object') return `an object in the ${location}`
  if (only !== 'array') return isForArrays(style) ? `the style ${style} of one value` : undefined
  if (location !== 'query') return `an array in the ${location}`
  const [item = 'string', ...others] = typesOf(items, resolve)
  if (others.length > 0) return 'items of several types'
  return ['array', 'object', 'null'].includes(item) ? `items of type ${item}` : undefined
}

function isForArrays(style: unknown): boolean {
  return style === 'spaceDelimited' || style === 'pipeDelimited'
}

/** Returns the types of the values that a schema allows, as far as it names types or values. */
function typesOf(value: unknown, resolve: Resolve, depth = 0): readonly string[] {
  // A schema may be part of itself.
  if (depth > 8) return []
  const { type, enum: values, const: constant, anyOf, oneOf } = readSchema(value, resolve)
  if (type !== undefined) return [type].flat().map(String)
  const listed = constant === undefined ? toList(values) : [constant]
  const ofValues = listed.map((one) => (one === null ? 'null' : typeof one))
  const branches = [...toList(anyOf), ...toList(oneOf)]
  return [
    ...new Set([...ofValues, ...branches.flatMap((branch) => typesOf(branch, resolve, depth + 1))]),
  ]
}
