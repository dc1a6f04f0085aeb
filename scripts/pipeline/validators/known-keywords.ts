import type { JsonObject } from '../description.ts'
import { schemaKeywords } from '../understood.ts'
import { Doubt } from './doubt.ts'

// What is in doubt below `not` and `oneOf` would make them accept more; the others are rare.
const notCompiled = [
  ...['not', 'oneOf', 'if', 'then', 'else', 'discriminator', 'patternProperties', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'prefixItems', 'contains', 'minContains'],
  ...['maxContains', 'unevaluatedItems'],
]
// It has no effect on JSON.
const ofOtherFormats = ['xml']

const compiled = new Set(
  [...Object.keys(schemaKeywords), ...ofOtherFormats].filter((name) => !notCompiled.includes(name)),
)

/** Throws a `Doubt` where a schema uses a keyword that is not compiled. */
export function refuseUnknown(schema: JsonObject): void {
  const unknown = Object.keys(schema).find(
    (keyword) => !compiled.has(keyword) && !/^x-(?!eov-|stoplight)/.test(keyword),
  )
  if (unknown !== undefined) throw new Doubt(`It uses ${unknown}.`)
}

/** Whether a schema asks more of values of some types than of others. */
export function dependsOnType(schema: JsonObject): boolean {
  return Object.keys(schema).some(
    // `unevaluatedProperties` is compiled apart from the types.
    (keyword) => keyword !== 'unevaluatedProperties' && (schemaKeywords[keyword] ?? []).length > 0,
  )
}
