import { toList } from '../../scripts/pipeline/description.ts'
import {
  objectKeywords,
  parameterStyles,
  schemaKeywords,
} from '../../scripts/pipeline/understood.ts'
import { readParts } from './resolved.ts'
import type { Context, Rule } from './rule.ts'

// Another type has a rule of its own.
const jsonTypes: readonly unknown[] = [
  ...['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'],
]

/** Rejects keywords that the service does not implement: they would promise what nothing does. */
export const knownKeywords: Rule = () => {
  const objects = Object.entries(objectKeywords).map(([type, known]) => [
    type,
    (node: object, context: Context) => rejectOthers(node, known, context),
  ])

  return {
    ...Object.fromEntries(objects),
    Parameter(parameter, context) {
      rejectOthers(parameter, objectKeywords['Parameter'] ?? [], context)
      const { in: where, style } = parameter
      const styles = parameterStyles[String(where)] ?? []
      if (style === undefined || styles.includes(String(style))) return
      const message = `The service does not read the style ${style} in the ${where}; use ${styles.join(' or ')}.`
      context.report({ message, location: context.location.child('style').key() })
    },
    Schema(schema, context) {
      rejectOthers(schema, Object.keys(schemaKeywords), context)
      const parts = readParts(schema, context)
      const types = parts.flatMap(({ node }) => toList([node['type'] ?? []].flat()))
      if (types.length === 0 || types.some((type) => !jsonTypes.includes(type))) return
      for (const { node, location } of parts) {
        for (const keyword of Object.keys(node)) {
          const about = schemaKeywords[keyword] ?? []
          if (about.length === 0 || types.some((type) => about.includes(String(type)))) continue
          const message = `${keyword} has no effect on type ${types.join(' or ')}; remove it, or change the type.`
          context.report({ message, location: location.child(keyword).key() })
        }
      }
    },
  }
}

function rejectOthers(
  node: object,
  known: readonly string[],
  { type, location, report }: Context,
): void {
  for (const keyword of Object.keys(node)) {
    if (keyword === '$ref' || keyword.startsWith('x-') || known.includes(keyword)) continue
    // What OpenAPI does not know either is reported by `struct`.
    if (!Object.hasOwn(type.properties, keyword)) continue
    const message = `The service does not implement ${keyword} here; remove it.`
    report({ message, location: location.child(keyword).key() })
  }
}
