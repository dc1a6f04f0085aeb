import {
  declaredValues,
  type FormValue,
  valuesOfForm,
} from '../../../server/description/discriminators.ts'
import { type Documents, toDocuments } from '../../../server/description/documents.ts'
import { type JsonObject, toList, toObject } from '../../../server/description/json.ts'
import {
  componentName,
  componentSchemas,
  editSchemas,
  toComponent,
  visitSchemas,
  withComponentSchemas,
} from '../../../server/description/nodes.ts'
import { reachedFrom } from './reached-names.ts'

/** The values of properties that choose a form, by the name of the property. */
type FormValues = Map<string, Set<FormValue>>

/** Returns the name of the form by whose values a form is chosen: its own, or that of a base of it. */
type ToChosen = (name: string, mapping: JsonObject, names: ReadonlySet<string>) => string

/**
 * Writes into each form of a discriminator which values choose it, and removes the discriminator. Of those,
 * openapi-typescript would replace values that a form declares itself, and remove the property from `allOf`.
 */
export function writeDiscriminators(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  const forms = findForms(description, documents)
  const schemas = Object.entries(componentSchemas(description)).map(([name, schema]) => {
    const values = forms.get(name) ?? new Map<string, Set<FormValue>>()
    const written = [...values].reduce(
      (form, [property, chosen]) => narrow(documents, form, property, [...chosen]),
      toObject(schema),
    )
    return [name, values.size === 0 ? schema : written] as const
  })

  const narrowed = withComponentSchemas(description, Object.fromEntries(schemas))
  return editSchemas(narrowed, ({ discriminator: _, ...schema }) => schema)
}

/** Returns the values that choose each schema of the components, by its name. */
function findForms(description: JsonObject, documents: Documents): ReadonlyMap<string, FormValues> {
  const schemas = componentSchemas(description)
  const derived = findDerived(schemas)
  const forms = new Map<string, FormValues>()

  function add(form: string, property: string, values: readonly FormValue[]): void {
    const valuesOfProperties: FormValues = forms.get(form) ?? new Map()
    const earlierValues = valuesOfProperties.get(property) ?? []
    valuesOfProperties.set(property, new Set([...earlierValues, ...values]))
    forms.set(form, valuesOfProperties)
  }

  function addForms(
    schema: JsonObject,
    names: Iterable<string>,
    toChosen: ToChosen = (name) => name,
  ): void {
    const discriminator = toObject(schema['discriminator'])
    const { propertyName, mapping } = discriminator
    if (typeof propertyName !== 'string') {
      return
    }

    const formNames = new Set(names)
    for (const name of formNames) {
      // A form that other forms extend has their values, too.
      const extending = formNames.intersection(derived.get(name) ?? new Set())
      for (const each of [name, ...extending]) {
        const chosen = toComponent(toChosen(each, toObject(mapping), formNames))
        const form = { ...documents.root, value: chosen }
        add(name, propertyName, valuesOfForm(form, discriminator, documents))
      }
    }
  }

  // A form that the mapping does not name is one of the nearest base that it names.
  const nearestMapped: ToChosen = (name, mapping, names) => {
    const mapped = new Set(Object.values(mapping).map((target) => toName(String(target))))
    const bases = [name, ...reachedFrom([name], (each) => basesOf(schemas, each))]
    return bases.find((base) => mapped.has(base) && names.has(base)) ?? name
  }

  visitSchemas(description, 'document', (schema) => addForms(schema, alternatives(schema)))
  for (const [name, value] of Object.entries(schemas)) {
    const schema = toObject(value)
    // A union has its forms, and what contains it is no form of it.
    if (alternatives(schema).length === 0) {
      addForms(schema, derived.get(name) ?? [], nearestMapped)
    }
  }
  return forms
}

/** Returns the names of the schemas that `oneOf` or `anyOf` lists. */
function alternatives({ oneOf, anyOf }: JsonObject): readonly string[] {
  return [...namesIn(oneOf), ...namesIn(anyOf)]
}

/** Returns the names of the schemas that extend each schema with `allOf`, through any number of others. */
function findDerived(schemas: JsonObject): ReadonlyMap<string, ReadonlySet<string>> {
  const derived = new Map<string, Set<string>>()
  for (const name of Object.keys(schemas)) {
    for (const base of reachedFrom([name], (each) => basesOf(schemas, each))) {
      derived.set(base, (derived.get(base) ?? new Set()).add(name))
    }
  }
  return derived
}

/** Returns the names of the schemas that a schema extends with `allOf`. */
function basesOf(schemas: JsonObject, name: string): readonly string[] {
  return namesIn(toObject(schemas[name])['allOf'])
}

/** Returns the name of the schema that a mapping leads to, by its name or by a reference. */
function toName(target: string): string {
  return componentName({ $ref: target }) ?? target
}

/** Returns the names of the components in a list of schemas. */
function namesIn(list: unknown): readonly string[] {
  const names = toList(list).map((schema) => componentName(toObject(schema)))
  return names.filter((name) => name !== undefined)
}

/** Returns a form of which a property has no other values than some, or than those that it declares. */
function narrow(
  documents: Documents,
  form: JsonObject,
  property: string,
  chosen: readonly FormValue[],
): JsonObject {
  const declared = declaredValues({ ...documents.root, value: form }, property, documents)
  const values = chosen.filter((value) => declared === undefined || declared.includes(value))

  const properties = toObject(form['properties'])
  if (!Object.hasOwn(properties, property)) {
    return extend(form, toChoice({}, property, values))
  }

  const choice = toChoice(properties, property, values)
  return {
    ...form,
    required: [...toList(form['required']), ...choice.required],
    properties: { ...properties, ...choice.properties },
  }
}

/** Returns the schema of an object in which a property is required and has one of some values. */
function toChoice(properties: JsonObject, property: string, values: readonly FormValue[]) {
  const { description } = toObject(properties[property])
  const types = new Set(values.map((value) => typeof value))
  const choice = {
    type: [...types],
    enum: values,
    ...(description !== undefined && { description }),
  }
  return { type: 'object', required: [property], properties: { [property]: choice } }
}

/** Returns a schema that matches another one, too. */
function extend(schema: JsonObject, part: JsonObject): JsonObject {
  if (Array.isArray(schema['allOf'])) {
    return { ...schema, allOf: [...schema['allOf'], part] }
  }
  return { allOf: [schema, part] }
}
