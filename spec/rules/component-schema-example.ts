import { resolve } from './resolved.ts'
import type { Rule } from './rule.ts'

/** Requires an example of every named schema, in place or in the file that it refers to. */
export const componentSchemaExample: Rule = () => ({
  NamedSchemas(schemas, context) {
    for (const [name, schema] of Object.entries(schemas)) {
      const place = context.location.child(name)
      const resolved = resolve(schema, place, context)
      if (resolved === undefined) continue
      const { example, examples } = resolved.node
      if (example !== undefined || examples !== undefined) continue
      const message = `The schema ${name} has no example; add examples: [...] to it.`
      context.report({ message, location: place.key() })
    }
  },
})
