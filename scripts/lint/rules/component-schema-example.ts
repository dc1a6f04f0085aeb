import { resolve } from '../resolved.ts'
import type { Rule } from '../rule.ts'

/** Requires an example of each schema that has a name. */
export const componentSchemaExample: Rule = () => ({
  NamedSchemas(schemas, context) {
    for (const [name, value] of Object.entries(schemas)) {
      const schema = resolve(value, context.location.child(name), context)
      if (schema === undefined || 'example' in schema.node || 'examples' in schema.node) {
        continue
      }
      const keyword = context.specVersion === 'oas3_0' ? 'example' : 'examples: [...]'
      const message = `The schema ${name} has no example; add ${keyword} to it.`
      context.report({ message, location: schema.location.key() })
    }
  },
})
