import type { JsonObject } from '../description.ts'
import { Doubt } from './doubt.ts'

/** Keywords that say something of values of one type alone. */
const ofTypes = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  ...['minLength', 'maxLength', 'pattern', 'items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
]
const ofAll = ['$ref', 'allOf', 'anyOf', 'type', 'enum', 'const', 'unevaluatedProperties']
const annotations = [
  ...['title', 'description', 'default', 'example', 'examples', 'deprecated', '$comment'],
  ...['readOnly', 'writeOnly', 'externalDocs', 'xml', '$defs'],
]

// `not` and `oneOf` are not among them: what is in doubt below would make them accept more.
const known = new Set([...ofTypes, ...ofAll, ...annotations])

/** Throws a `Doubt` where a schema uses a keyword that is not compiled. */
export function refuseUnknown(schema: JsonObject): void {
  const unknown = Object.keys(schema).find(
    (keyword) => !known.has(keyword) && !/^x-(?!eov-|stoplight)/.test(keyword),
  )
  if (unknown !== undefined) throw new Doubt(`It uses ${unknown}.`)
}

/** Whether a schema asks more of values of some types than of others. */
export function dependsOnType(schema: JsonObject): boolean {
  return ofTypes.some((keyword) => keyword in schema)
}
