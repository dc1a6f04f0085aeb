import type { Rule } from '../rule.ts'

/**
 * Advises to write a condition as a part of `allOf` where other members are rejected. The service validates
 * both forms; Ajv, and with it Redocly's rules for examples, loses the members that stand beside an `if`.
 */
export const conditionInAllOf: Rule = () => ({
  Schema(schema, { location, report }) {
    const closing = ['unevaluatedProperties', 'unevaluatedItems'].find((name) => name in schema)
    if (closing === undefined || !('if' in schema)) {
      return
    }
    const message = `Many validators reject valid values where if stands beside ${closing}, also in examples; write if, then and else as a part of allOf.`
    report({ message, location: location.child('if').key() })
  },
})
