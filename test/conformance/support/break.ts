import type { Arbitrary } from 'fast-check'
import type { Json, JsonObject } from '../../support/traffic/contract-index.ts'

/** Values that a schema refuses, each for the same one reason. */
export interface Break {
  /** The keyword that is broken. */
  readonly keyword: string
  /** Where, as a JSON Pointer (RFC 6901) into the value; `*` is any item of a list. */
  readonly place: string
  readonly values: Arbitrary<Json>
  /** Whether another form that the schema offers may take them. */
  readonly isDoubtful?: boolean
}

/** What can be broken, and what lets every value pass. */
const known = new Set([
  ...['type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
  ...['items', 'uniqueItems', 'properties', 'required', 'minProperties', 'maxProperties'],
  ...['additionalProperties', 'unevaluatedProperties', 'oneOf', 'anyOf', 'discriminator'],
  ...['readOnly', 'writeOnly'],
])

/** Throws at a keyword that nobody would break: it would look as if it were held. */
export function refuseUnknown(schema: JsonObject): void {
  const other = Object.keys(schema).find((keyword) => !known.has(keyword))
  if (other === undefined) return
  throw new Error(
    `The conformance run cannot break the keyword ${other}; add it to test/conformance/support/.`,
  )
}
