import { type JsonObject, toObject } from './description.ts'

/**
 * Returns the form of a parameter that the service does not read, or undefined if it reads it; `resolve`
 * returns an object, or the one that its `$ref` leads to.
 */
export function findUnreadForm(
  { in: location, style = 'form', explode, schema, content }: JsonObject,
  resolve: (value: unknown) => JsonObject,
): string | undefined {
  const isJson = Object.keys(toObject(content)).some((type) => /[/+]json\b/i.test(type))
  if (isJson && location !== 'query') return `JSON in the ${location}`
  const { type, properties } = resolve(schema)
  if (![type].flat().includes('object')) return undefined
  if (location !== 'query') return `an object in the ${location}`
  if (style !== 'deepObject') {
    const isRead = style === 'form' && explode === false
    return isRead ? undefined : 'an object in the query without style: deepObject or explode: false'
  }
  const members = Object.entries(toObject(properties))
  const [array] =
    members.find(([, member]) => [resolve(member)['type']].flat().includes('array')) ?? []
  return array && `the array ${array} in a deepObject`
}
