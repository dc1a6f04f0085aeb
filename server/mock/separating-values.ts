import { isObject, type JsonObject, toObject } from '../description/json.ts'

/** Values that are of the wrong type for most properties. */
const wrongValues: readonly unknown[] = [0, 'text', false]

/** How many values are tried. */
const maxValues = 20_000

/**
 * Yields copies of a value with one more property, of a wrong type: a value that fits several forms of
 * `oneOf` fits one alone if the others declare that property.
 */
export function* separatingValues(value: unknown, names: ReadonlySet<string>): Generator<unknown> {
  let count = 0
  for (const wrong of wrongValues) {
    for (const name of names) {
      for (const changed of withMember(value, name, wrong)) {
        count++
        if (count > maxValues) {
          return
        }
        yield changed
      }
    }
  }
}

/** Yields copies of a value in which one of its objects has a member more. */
function* withMember(value: unknown, name: string, member: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    for (const [index, item] of items.entries()) {
      for (const changed of withMember(item, name, member)) {
        yield items.with(index, changed)
      }
    }
    return
  }
  if (!isObject(value)) {
    return
  }

  if (!Object.hasOwn(value, name)) {
    yield { ...value, [name]: member }
  }
  for (const [key, inner] of Object.entries(value)) {
    for (const changed of withMember(inner, name, member)) {
      yield { ...value, [key]: changed }
    }
  }
}

/** Returns the names of the properties that schemas and their parts declare. */
export function namesIn(
  schemas: readonly unknown[],
  target: ($ref: string) => unknown,
): ReadonlySet<string> {
  const names = new Set<string>()
  const visited = new Set<unknown>(schemas)
  // The loop also visits what it adds.
  for (const node of visited) {
    for (const name of Object.keys(propertiesOf(node))) {
      names.add(name)
    }
    const { $ref } = toObject(node)
    const referred = typeof $ref === 'string' ? [target($ref)] : []
    const inner = typeof node === 'object' && node !== null ? Object.values(node) : []
    for (const each of [...inner, ...referred]) {
      if (typeof each === 'object' && each !== null) {
        visited.add(each)
      }
    }
  }
  return names
}

function propertiesOf(node: unknown): JsonObject {
  return toObject(toObject(node)['properties'])
}
