import { isObject, type JsonObject, toList, toObject } from '../description/json.ts'

/** A value of a discriminator, and the reference to the schema that it chooses. */
type Choice = readonly [value: string, $ref: string]

/**
 * Returns a schema in which a discriminator chooses one of the forms, so that a value is validated
 * against that form alone. Forms that are not references are left to `oneOf` or `anyOf`.
 * `toReference` returns the reference to a part of the description, by its pointer.
 */
export function withChosenForm(
  schema: JsonObject,
  toReference: (pointer: string) => string,
): JsonObject {
  const { discriminator, oneOf, anyOf, ...rest } = schema
  const forms = oneOf ?? anyOf
  if (!isObject(discriminator) || !Array.isArray(forms)) {
    return schema
  }

  const refs = forms.map((form) => toObject(form)['$ref'])
  if (!refs.every((ref) => typeof ref === 'string')) {
    return schema
  }

  const mapped = readMapping(discriminator['mapping'], toReference)
  const unmapped = refs.filter((ref) => !mapped.some(([, target]) => target === ref))
  const named = unmapped.map((ref): Choice => [ref.split('/').at(-1) ?? '', ref])
  const chosen = choose(String(discriminator['propertyName']), [...mapped, ...named])
  return { ...rest, allOf: [...toList(rest['allOf']), chosen] }
}

function readMapping(mapping: unknown, toReference: (pointer: string) => string): Choice[] {
  return Object.entries(toObject(mapping)).map(([value, target]) => {
    const name = String(target)
    const pointer = name.includes('/') ? name : `#/components/schemas/${name}`
    return [value, toReference(pointer)]
  })
}

function choose(name: string, choices: readonly Choice[]): JsonObject {
  return {
    type: 'object',
    required: [name],
    properties: { [name]: { enum: choices.map(([value]) => value) } },
    allOf: choices.map(([value, $ref]) => ({
      if: { properties: { [name]: { const: value } }, required: [name] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: { $ref },
    })),
  }
}
