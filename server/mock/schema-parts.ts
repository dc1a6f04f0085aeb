import { type JsonObject, toList, toObject } from '../description/json.ts'
import { compilePattern } from '../description/pattern.ts'
import type { Keywords } from './leaf-values.ts'

/** Returns the schemas of both branches of a condition. */
export function branchesOf(schema: JsonObject): readonly (readonly unknown[])[] {
  const { if: condition, then: whenTrue = true, else: whenFalse = true } = schema
  return condition === undefined ? [[]] : [[condition, whenTrue], [whenFalse]]
}

/** Returns the values that `const` and `enum` leave; undefined where there are none of these. */
export function listedValues(parts: readonly Keywords[]): readonly unknown[] | undefined {
  const lists = parts.flatMap((part) => {
    const ofConst = 'const' in part ? [[part['const']]] : []
    return Array.isArray(part['enum']) ? [...ofConst, toList(part['enum'])] : ofConst
  })
  const [firstList, ...otherLists] = lists
  const textsOfOthers = otherLists.map((list) => {
    return new Set(list.map((value) => JSON.stringify(value)))
  })
  return firstList?.filter((value) => {
    const text = JSON.stringify(value)
    return textsOfOthers.every((texts) => texts.has(text))
  })
}

/** Returns the examples and the defaults of some keywords. */
export function examplesOf(parts: readonly Keywords[]): readonly unknown[] {
  return parts.flatMap((part) => {
    const stated = [part['example'], ...toList(part['examples']), part['default']]
    return stated.filter((value) => value !== undefined)
  })
}

/** Returns the names of required properties, and of those that these require. */
export function requiredNames(parts: readonly Keywords[]): readonly string[] {
  const names = parts.flatMap(({ required }) => toList(required)).map(String)
  return [...new Set(names.flatMap((name) => [name, ...dependentNames(parts, name)]))]
}

/** Returns the names of the properties that another one requires, and those that these require. */
export function dependentNames(parts: readonly Keywords[], name: string): readonly string[] {
  const names = new Set([name])
  // The loop also visits the names that it adds.
  for (const requiring of names) {
    const required = parts.flatMap(({ dependentRequired, dependentSchemas }) => {
      const dependentSchema = toObject(toObject(dependentSchemas)[requiring])
      return [
        ...toList(toObject(dependentRequired)[requiring]),
        ...toList(dependentSchema['required']),
      ]
    })
    for (const requiredName of required) {
      names.add(String(requiredName))
    }
  }
  names.delete(name)
  return [...names]
}

/** Returns the names of declared properties, each once. */
export function declaredNames(parts: readonly Keywords[]): readonly string[] {
  return [...new Set(parts.flatMap(({ properties }) => Object.keys(toObject(properties))))]
}

/** Returns the schemas of a property: each part has some for it. */
export function schemasOf(parts: readonly Keywords[], name: string): readonly unknown[] {
  return parts.flatMap((part) => {
    const properties = toObject(part['properties'])
    const ofName = Object.hasOwn(properties, name) ? [properties[name]] : []
    const ofPatterns = Object.entries(toObject(part['patternProperties']))
      .filter(([pattern]) => compilePattern(pattern).test(name))
      .map(([, schema]) => schema)
    const declared = [...ofName, ...ofPatterns]
    const { additionalProperties = true } = part
    return declared.length > 0 ? declared : [additionalProperties]
  })
}

/** Returns the schemas of an item: each part has one. */
export function itemSchemas(parts: readonly Keywords[], index: number): readonly unknown[] {
  return parts.map(({ prefixItems, items = true }) => {
    const first = toList(prefixItems)
    return index < first.length ? first[index] : items
  })
}

/** Returns the schemas that the first items have to fit beside their own, by index. */
export function containedSchemas(parts: readonly Keywords[]): readonly (readonly unknown[])[] {
  return parts.flatMap(({ contains, minContains = 1 }) => {
    return contains === undefined ? [] : Array(Number(minContains)).fill([contains])
  })
}
