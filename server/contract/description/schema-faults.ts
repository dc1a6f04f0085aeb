import { type Description, escapeToken, type Json } from './description.ts'
import { createSchemaChecks } from './schema-checks.ts'

/** Where a schema of a description cannot be compiled, each with the reason. */
export function schemaFaults(description: Description): string[] {
  const { compile } = createSchemaChecks(description)
  return [...schemaPointers(description, '')].flatMap((pointer) => {
    try {
      compile(pointer)
      return []
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return [`${pointer} ${reason.replaceAll('\n', ' ')}`]
    }
  })
}

// Below these stand values of the API, not parts of the description.
const examples = new Set(['example', 'examples'])

/** The places of all schemas: the named ones, and whatever stands under `schema`. */
function* schemaPointers(node: Json | undefined, pointer: string): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  for (const [name, child] of Object.entries(node)) {
    const place = `${pointer}/${escapeToken(name)}`
    if (pointer === '/components/schemas' || name === 'schema') yield place
    else if (!examples.has(name)) yield* schemaPointers(child, place)
  }
}
