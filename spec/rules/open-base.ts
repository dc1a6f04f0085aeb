import { type JsonObject, toList, toObject } from '../../scripts/pipeline/description.ts'
import { type Resolved, resolve } from './resolved.ts'
import type { Context, Rule } from './rule.ts'

/** A schema that others extend through `allOf` stays open, else what they add is refused by it. */
export const openBase: Rule = () => ({
  Schema(schema, context) {
    const { allOf, ...own } = schema
    const { location } = context
    const entries = toList(allOf).map((part, index) =>
      resolve(part, location.child(['allOf', String(index)]), context),
    )
    if (entries.length === 0) return
    const parts: readonly Resolved[] = [{ node: own, location }, ...entries]
    for (const part of parts) {
      const keyword = closingKeyword(part.node, part.node === own)
      if (keyword === undefined) continue
      const known = namesOf(part.node, context)
      const added = parts
        .flatMap(({ node }) => namesOf(node, context))
        .filter((name) => !known.includes(name))
      if (added.length === 0) continue
      const message = `${keyword}: false refuses ${added.join(', ')}, which this allOf adds; leave the base open and write unevaluatedProperties: false beside the allOf.`
      context.report({ message, location: part.location.child(keyword).key() })
    }
  },
})

/** What closes a part of an `allOf`; beside the `allOf`, unevaluatedProperties sees all the parts. */
function closingKeyword(part: JsonObject, isOwn: boolean): string | undefined {
  if (part['additionalProperties'] === false) return 'additionalProperties'
  return part['unevaluatedProperties'] === false && !isOwn ? 'unevaluatedProperties' : undefined
}

function namesOf(schema: JsonObject, context: Context): string[] {
  const inherited = toList(schema['allOf']).map(
    (part) => resolve(part, context.location, context).node,
  )
  return [schema, ...inherited].flatMap((part) => Object.keys(toObject(part['properties'])))
}
