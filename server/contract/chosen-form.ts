import { type FormValue, valuesOfForm } from '../description/discriminators.ts'
import type { Documents } from '../description/documents.ts'
import { isObject, type JsonObject, toList, toObject } from '../description/json.ts'

/**
 * Returns a schema in which a discriminator chooses one of the forms, so that a value is validated
 * against that form alone. Forms that are not references are left to `oneOf` or `anyOf`.
 */
export function withChosenForm(schema: JsonObject, documents: Documents): JsonObject {
  const { discriminator } = schema
  const keyword = Array.isArray(schema['oneOf']) ? 'oneOf' : 'anyOf'
  const { [keyword]: listed, ...rest } = schema
  if (!isObject(discriminator) || !Array.isArray(listed)) {
    return schema
  }

  const forms: readonly unknown[] = listed
  if (!forms.every((form) => typeof toObject(form)['$ref'] === 'string')) {
    return schema
  }

  const byValue = new Map<FormValue, unknown[]>()
  for (const form of forms) {
    const located = { ...documents.root, value: form }
    for (const value of valuesOfForm(located, discriminator, documents)) {
      byValue.getOrInsertComputed(value, () => []).push(form)
    }
  }
  const chosen = choose(String(discriminator['propertyName']), byValue, keyword)
  return { ...rest, allOf: [...toList(rest['allOf']), chosen] }
}

function choose(
  name: string,
  byValue: ReadonlyMap<FormValue, readonly unknown[]>,
  keyword: 'oneOf' | 'anyOf',
): JsonObject {
  return {
    type: 'object',
    required: [name],
    properties: { [name]: { enum: [...byValue.keys()] } },
    allOf: Array.from(byValue, ([value, forms]) => ({
      if: { properties: { [name]: { const: value } }, required: [name] },
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
      then: forms.length === 1 ? forms[0] : { [keyword]: forms },
    })),
  }
}
