import { childOf, childrenOf } from '../description/fields.ts'
import { toObject } from '../description/json.ts'
import type { Located } from '../description/location.ts'
import { compilePattern } from '../description/pattern.ts'

/** Returns the schemas that a schema has for a member of an object, or an item of an array. */
export function memberSchemas(schema: Located, key: string, holder: object): readonly Located[] {
  return Array.isArray(holder) ? schemasOfItem(schema, key) : schemasOfProperty(schema, key)
}

function schemasOfItem(schema: Located, index: string): readonly Located[] {
  const listed = childrenOf(schema, 'prefixItems').filter((item) => item.key === index)
  return listed.length > 0 ? listed : [childOf(schema, 'items')]
}

function schemasOfProperty(schema: Located, name: string): readonly Located[] {
  const properties = childOf(schema, 'properties')
  const isNamed = Object.hasOwn(toObject(properties.value), name)
  const matching = childrenOf(schema, 'patternProperties').filter((pattern) => {
    return compilePattern(pattern.key).test(name)
  })
  const declared = [...(isNamed ? [childOf(properties, name)] : []), ...matching]
  return declared.length > 0 ? declared : [childOf(schema, 'additionalProperties')]
}
