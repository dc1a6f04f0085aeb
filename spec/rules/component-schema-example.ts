import { toObject } from '../../scripts/pipeline/description.ts'
import type { Rule } from './rule.ts'

/** Every schema that has a name shows what it looks like. */
export const componentSchemaExample: Rule = () => ({
  NamedSchemas(schemas, { location, report }) {
    for (const [name, schema] of Object.entries(schemas)) {
      const { example, examples } = toObject(schema)
      if (example !== undefined || examples !== undefined) continue
      const message = `The schema ${name} has no example; add examples: [...] to it.`
      report({ message, location: location.child(name).key() })
    }
  },
})
