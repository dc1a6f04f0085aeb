import type { Rule } from '../rule.ts'
import { createValueCheck } from './valid-value.ts'

/** Requires a default to be valid: a request that omits the value is rejected otherwise. */
export const defaultValid: Rule = () => {
  const errorOf = createValueCheck()

  return {
    Schema(schema, context) {
      if (schema['default'] === undefined) {
        return
      }
      const error = errorOf(schema, schema['default'], context)
      if (error === undefined) {
        return
      }
      const message = `The default is not valid against its own schema: it ${error}.`
      context.report({ message, location: context.location.child('default') })
    },
  }
}
