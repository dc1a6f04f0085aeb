import {
  type JsonObject,
  type Resolve,
  readSchema,
  toList,
  toObject,
} from '../../scripts/pipeline/description.ts'

/**
 * Returns the form of a parameter that the service does not read, or undefined if it reads it; `resolve`
 * returns an object, or the one that its `$ref` leads to.
 */
export function findUnreadForm(
  { in: location, style = 'form', schema, content }: JsonObject,
  resolve: Resolve,
): string | undefined {
  const isJson = Object.keys(toObject(content)).some((type) => /[/+]json\b/i.test(type))
  if (isJson && location !== 'query') return `JSON in the ${location}`
  if (content !== undefined) return undefined
  const { type, properties, items, prefixItems } = readSchema(schema, resolve)
  const [only = 'string', ...more] = typesOf(schema, resolve)
  if ([only, ...more].includes('null')) return 'null, which no text is'
  if (more.length > 0) return `values of several types (${[only, ...more].join(', ')})`
  if (type === undefined && only !== 'string')
    return 'an enum, const, anyOf or oneOf with no type beside it'
  if (prefixItems !== undefined) return 'a tuple'
  if (typesOf(items, resolve).length > 1) return 'items of several types'
  if (type !== 'object') return undefined
  if (location !== 'query') return `an object in the ${location}`
  // The client has no other style for objects.
  if (style !== 'deepObject') return 'an object in the query without style: deepObject'
  const members = Object.entries(toObject(properties))
  const [array] =
    members.find(([, member]) => [resolve(member)['type']].flat().includes('array')) ?? []
  return array && `the array ${array} in a deepObject`
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
