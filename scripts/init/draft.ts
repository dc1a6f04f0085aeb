import { isObject, type JsonObject, pointAt } from '../pipeline/description.ts'

/** What was changed, for people: where (`GET /museum-hours` or a JSON Pointer), and what, with the reason. */
export interface Change {
  readonly where: string
  readonly what: string
}

/** Notes a change. */
export type Report = (where: string, what: string) => void

/** An object of a description that is converted in place. */
export type Draft = Record<string, unknown>

/** A description that is converted, and what notes the changes. */
export interface Conversion {
  readonly root: Draft
  readonly report: Report
}

/** Returns the object itself if a value is one; else a new one, which belongs to nothing. */
export function toDraft(value: unknown): Draft {
  return isObject(value) ? (value as Draft) : {}
}

/** Returns the object that another one has under a key, which is added if it is missing. */
export function ensure(holder: Draft, key: string): Draft {
  if (!isObject(holder[key])) holder[key] = {}
  return toDraft(holder[key])
}

/** Returns the object that a value is or refers to, itself instead of a copy. */
export function follow(root: JsonObject, value: unknown, depth = 0): Draft {
  const { $ref } = toDraft(value)
  // A reference may lead back to itself.
  if (typeof $ref !== 'string' || depth > 20) return toDraft(value)
  return follow(root, pointAt(root, $ref), depth + 1)
}

/** Calls a function with every object of a draft that is not part of an example. */
export function visitObjects(node: unknown, visit: (object: Draft) => void, name = ''): void {
  if (Array.isArray(node)) for (const item of node) visitObjects(item, visit)
  if (!isObject(node)) return
  visit(toDraft(node))
  for (const [key, child] of Object.entries(node)) {
    // A property may be called `example`.
    const isExample = name !== 'properties' && /^(?:examples?|enum|const|x-.*)$/.test(key)
    if (!isExample) visitObjects(child, visit, key)
  }
}

/** The most places of one change that are listed one by one. */
const maxPlaces = 3

/** Returns a function that notes changes, and one that lists them: the same in many places is one. */
export function createChangeLog() {
  const places = new Map<string, Set<string>>()
  const report: Report = (where, what) => {
    places.set(what, (places.get(what) ?? new Set()).add(where))
  }
  const list = (): Change[] =>
    [...places].flatMap(([what, found]) => {
      if (found.size <= maxPlaces) return Array.from(found, (where) => ({ where, what }))
      const [first = ''] = found
      return [{ where: `${first} and ${found.size - 1} other places`, what }]
    })
  return { report, list }
}
