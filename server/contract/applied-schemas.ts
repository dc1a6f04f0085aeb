import type { Ajv2020 } from 'ajv/dist/2020.js'
import { type JsonObject, toList, toObject } from '../description/json.ts'

/** An object, or an array with its indexes as names. */
export type Container = JsonObject | readonly unknown[]

/** Returns the schemas that a schema applies to the same value. */
export function appliedSchemas(
  schema: JsonObject,
  data: Container,
  checker: Ajv2020,
): readonly unknown[] {
  const { $ref, allOf, anyOf, oneOf, if: condition, dependentSchemas } = schema
  const applied: unknown[] = [...toList(allOf)]
  if (typeof $ref === 'string') {
    applied.push(checker.getSchema($ref)?.schema)
  }
  for (const forms of [anyOf, oneOf]) {
    applied.push(...fittingForms(toList(forms), data, checker))
  }
  if (condition !== undefined) {
    const isMet = fits(condition, data, checker)
    applied.push(...(isMet ? [condition, schema['then']] : [schema['else']]))
  }
  for (const [name, dependent] of Object.entries(toObject(dependentSchemas))) {
    if (Object.hasOwn(data, name)) {
      applied.push(dependent)
    }
  }
  return applied
}

/** Returns the forms that a value fits; all of them if it fits none, which is an error of its own. */
function fittingForms(forms: readonly unknown[], data: Container, checker: Ajv2020) {
  const fitting = forms.filter((form) => fits(form, data, checker))
  return fitting.length === 0 ? forms : fitting
}

/** Returns whether a value fits a schema. */
export function fits(schema: unknown, value: unknown, checker: Ajv2020): boolean {
  // Ajv keeps what it has compiled of a schema.
  return typeof schema === 'boolean' ? schema : checker.validate(toObject(schema), value)
}
