import type { Rule } from './rule.ts'
import { createValueCheck } from './valid-value.ts'

/** A default fits its schema, else a request that leaves the value out is refused for it. */
export const defaultValid: Rule = () => {
  const errorOf = createValueCheck()

  return {
    Schema(schema, context) {
      if (schema['default'] === undefined) return
      const error = errorOf(schema, schema['default'], context)
      if (error === undefined) return
      const message = `The default does not fit its own schema: it ${error}.`
      context.report({ message, location: context.location.child('default') })
    },
  }
}
