import { type FormValue, valuesOfForm } from '../../server/description/discriminators.ts'
import { toDocuments } from '../../server/description/documents.ts'
import { toList } from '../../server/description/json.ts'
import { type Conversion, type Draft, ensure, follow, toDraft, visitObjects } from './draft.ts'

/**
 * Declares and requires in each form of a `oneOf` the values that a discriminator chooses it by. Without
 * them, samples and requests that are made from the schema have other values.
 */
export function convertDiscriminators({ root, report }: Conversion): void {
  const bases = findBases(root)
  const documents = toDocuments(root)

  visitObjects(root, ({ discriminator, oneOf, anyOf }) => {
    const { propertyName } = toDraft(discriminator)
    if (typeof propertyName !== 'string') {
      return
    }

    for (const form of toList(oneOf ?? anyOf)) {
      const { $ref } = toDraft(form)
      if (typeof $ref !== 'string' || bases.has($ref)) {
        continue
      }

      const located = { ...documents.root, value: form }
      const values = valuesOfForm(located, toDraft(discriminator), documents)
      const isChanged = requireValues(root, follow(root, form), propertyName, values)
      if (!isChanged) {
        continue
      }

      const list = values.join(' or ')
      report($ref, `${propertyName} is ${list}: the discriminator chooses it by that`)
    }
  })
}

/** Declares and requires the values of a property in a schema; returns whether that was a change. */
function requireValues(
  root: Draft,
  schema: Draft,
  name: string,
  values: readonly FormValue[],
): boolean {
  const property = follow(root, toDraft(schema['properties'])[name])
  const { enum: declared = [property['const']], ...others } = property
  const isDeclared = toList(declared).every((value) => values.some((chosen) => chosen === value))
  const required = new Set(toList(schema['required']))

  if (isDeclared && required.has(name)) {
    return false
  }

  if (!isDeclared) {
    const chosen = values.length === 1 ? { const: values[0] } : { enum: values }
    ensure(schema, 'properties')[name] = { type: 'string', ...others, ...chosen }
  }

  schema['required'] = [...required.add(name)]
  return true
}

/** Returns the references to schemas that others extend: they cannot have a value of their own. */
function findBases(root: Draft): ReadonlySet<unknown> {
  const bases = new Set<unknown>()
  visitObjects(root, ({ allOf, properties }) => {
    const parts = toList(allOf)
    if (parts.length === 1 && properties === undefined) {
      return
    }
    for (const part of parts) {
      bases.add(toDraft(part)['$ref'])
    }
  })
  return bases
}
