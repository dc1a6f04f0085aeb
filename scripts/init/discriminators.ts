import { isObject, toList } from '../pipeline/description.ts'
import { type Conversion, type Draft, ensure, follow, toDraft, visitObjects } from './draft.ts'

/**
 * Declares and requires in each form of a `oneOf` the values that a discriminator chooses it by: a
 * sample, or a request that a client makes from the schema, has another one otherwise.
 */
export function convertDiscriminators({ root, report }: Conversion): void {
  const bases = findBases(root)
  reportOpenBases({ root, report }, bases)
  visitObjects(root, ({ discriminator, oneOf, anyOf }) => {
    const { propertyName, mapping } = toDraft(discriminator)
    for (const form of toList(oneOf ?? anyOf)) {
      const { $ref } = toDraft(form)
      if (typeof propertyName !== 'string' || typeof $ref !== 'string' || bases.has($ref)) continue
      const mapped = Object.entries(toDraft(mapping)).filter(([, target]) => target === $ref)
      const values = mapped.length > 0 ? mapped.map(([value]) => value) : [$ref.replace(/.*\//, '')]
      const declared = partsOf(root, form)
        .map(({ properties }) => follow(root, toDraft(properties)[propertyName]))
        .filter((property) => Object.keys(property).length > 0)
      const isChosen = ({ const: only, enum: all = [only] }: Draft) =>
        toList(all).every((value) => values.includes(String(value)))
      const own = follow(root, form)
      const required = new Set(toList(own['required']))
      const known = declared.find(isChosen)
      if (known !== undefined && required.has(propertyName)) continue
      const { enum: _, ...others } = declared[0] ?? {}
      const chosen = values.length === 1 ? { const: values[0] } : { enum: values }
      ensure(own, 'properties')[propertyName] = known ?? { type: 'string', ...others, ...chosen }
      // The linter does not look for it in what a form extends.
      own['required'] = [...required.add(propertyName)]
      report(
        $ref,
        `${propertyName} is ${values.join(' or ')}: the discriminator chooses it by that`,
      )
    }
  })
}

/** Reports discriminators of schemas that others extend, where such a schema is used by itself. */
function reportOpenBases({ root, report }: Conversion, bases: ReadonlySet<unknown>): void {
  const what = 'nothing enforces its discriminator: where it is used, refer to a oneOf of its forms'
  visitObjects(root, ({ allOf: _, ...others }) => {
    for (const value of Object.values(others).flat()) {
      const { $ref } = toDraft(value)
      const { discriminator, oneOf, anyOf } = follow(root, value)
      const isOpen = isObject(discriminator) && (oneOf ?? anyOf) === undefined
      if (isOpen && typeof $ref === 'string' && bases.has($ref)) report($ref, what)
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

/** Returns a schema, and those that it extends. */
function partsOf(root: Draft, schema: unknown, depth = 0): Draft[] {
  const own = follow(root, schema)
  // A schema may be part of itself.
  if (depth > 8) return []
  return [own, ...toList(own['allOf']).flatMap((part) => partsOf(root, part, depth + 1))]
}
