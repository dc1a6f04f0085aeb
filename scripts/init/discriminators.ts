import { toList } from '../../server/description/json.ts'
import { type Conversion, type Draft, ensure, follow, toDraft, visitObjects } from './draft.ts'

/**
 * Declares and requires in each form of a `oneOf` the values that a discriminator chooses it by. Without
 * them, samples and requests that are made from the schema have other values.
 */
export function convertDiscriminators({ root, report }: Conversion): void {
  const bases = findBases(root)
  visitObjects(root, ({ discriminator, oneOf, anyOf }) => {
    const { propertyName, mapping } = toDraft(discriminator)
    for (const form of toList(oneOf ?? anyOf)) {
      const { $ref } = toDraft(form)
      if (typeof propertyName !== 'string' || typeof $ref !== 'string' || bases.has($ref)) continue
      const mapped = Object.entries(toDraft(mapping)).filter(([, target]) => target === $ref)
      const values =
        mapped.length > 0 ? mapped.map(([value]) => value) : [$ref.slice($ref.lastIndexOf('/') + 1)]
      const schema = follow(root, form)
      const property = follow(root, toDraft(schema['properties'])[propertyName])
      const { enum: declared = [property['const']], ...others } = property
      const isDeclared = toList(declared).every((value) => values.includes(String(value)))
      const required = new Set(toList(schema['required']))
      if (isDeclared && required.has(propertyName)) continue
      if (!isDeclared) {
        const chosen = values.length === 1 ? { const: values[0] } : { enum: values }
        ensure(schema, 'properties')[propertyName] = { type: 'string', ...others, ...chosen }
      }
      schema['required'] = [...required.add(propertyName)]
      report(
        $ref,
        `${propertyName} is ${values.join(' or ')}: the discriminator chooses it by that`,
      )
    }
  })
}

/** Returns the references to schemas that others extend: they cannot have a value of their own. */
function findBases(root: Draft): ReadonlySet<unknown> {
  const bases = new Set<unknown>()
  visitObjects(root, ({ allOf, properties }) => {
    const parts = toList(allOf)
    if (parts.length === 1 && properties === undefined) return
    for (const part of parts) bases.add(toDraft(part)['$ref'])
  })
  return bases
}
