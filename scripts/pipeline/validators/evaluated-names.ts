import { isObject, type JsonObject, pointAt, toList, toObject } from '../description.ts'
import { Doubt } from './doubt.ts'

/** The names of the fields that a schema evaluates, whatever the value is; else throws a `Doubt`. */
export function evaluatedNames(root: JsonObject, schema: JsonObject, isPart = false): Set<string> {
  const depends = ['anyOf', 'additionalProperties', ...(isPart ? ['unevaluatedProperties'] : [])]
  if (depends.some((keyword) => keyword in schema)) {
    throw new Doubt('Which fields are evaluated depends on the value.')
  }
  const { $ref, allOf, properties } = schema
  const parts = [...toList(allOf), ...($ref === undefined ? [] : [pointAt(root, String($ref))])]
  const names = new Set(Object.keys(toObject(properties)))
  for (const part of parts.filter(isObject)) {
    for (const name of evaluatedNames(root, part, true)) names.add(name)
  }
  return names
}
