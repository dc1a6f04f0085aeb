import { type JsonObject, toObject } from '../../../server/description/json.ts'
import { readParts } from '../resolved.ts'
import type { Context, Rule } from '../rule.ts'

/** Requires a schema that others extend through `allOf` to be open: it would reject what they add. */
export const openBase: Rule = () => ({
  Schema(schema, context) {
    const parts = readParts(schema, context)
    const namesOfParts = parts.map(({ node }) => namesOf(node, context))
    for (const [index, { node, location }] of parts.entries()) {
      const keyword = closingKeyword(node, index === 0)
      const ownNames = namesOfParts[index] ?? []
      const added = namesOfParts.flat().filter((name) => !ownNames.includes(name))
      if (keyword === undefined || added.length === 0) {
        continue
      }

      // OpenAPI 3.0 has no unevaluatedProperties.
      const isOld = context.specVersion === 'oas3_0'
      const closing = isOld ? '' : ' and write unevaluatedProperties: false beside the allOf'
      const message = `${keyword}: false rejects ${added.join(', ')}, which an allOf adds; leave this open${closing}.`
      context.report({ message, location: location.child(keyword).key() })
    }
  },
})

/** Returns the keyword that closes a part; beside the `allOf`, unevaluatedProperties sees the properties of all parts. */
function closingKeyword(part: JsonObject, isBesideAllOf: boolean): string | undefined {
  if (part['additionalProperties'] === false) {
    return 'additionalProperties'
  }
  return part['unevaluatedProperties'] === false && !isBesideAllOf
    ? 'unevaluatedProperties'
    : undefined
}

/** Returns the names of the properties that a schema and its parts declare. */
function namesOf(schema: JsonObject, context: Context): string[] {
  return readParts(schema, context).flatMap(({ node }) => Object.keys(toObject(node['properties'])))
}
