import { type Description, isObject } from '../description.ts'

/** The names that a description gives to fields, in whatever schema. */
export function fieldNamesOf(description: Description): ReadonlySet<string> {
  const known = made.get(description)
  if (known !== undefined) return known
  const names = new Set<string>()
  collect(description, names)
  made.set(description, names)
  return names
}

const made = new WeakMap<Description, ReadonlySet<string>>()

function collect(node: unknown, names: Set<string>): void {
  if (Array.isArray(node)) for (const item of node) collect(item, names)
  if (!isObject(node)) return
  for (const [keyword, child] of Object.entries(node)) {
    if (keyword === 'properties' && isObject(child)) {
      for (const name of Object.keys(child)) names.add(name)
    }
    collect(child, names)
  }
}
