import { toDocuments } from '../../server/description/documents.ts'
import { isObject, type JsonObject } from '../../server/description/json.ts'

/** A change for people to read: where (`GET /museum-hours` or a JSON Pointer), and what, with the reason. */
export interface Change {
  readonly where: string
  readonly what: string
}

/** Notes a change. */
export type Report = (where: string, what: string) => void

/** An object of a description that is converted in place. */
export type Draft = Record<string, unknown>

/** A description that is converted, and the function that notes changes. */
export interface Conversion {
  readonly root: Draft
  readonly report: Report
}

/** An operation that is converted, and the function that notes its changes. */
export interface OperationDraft {
  readonly root: Draft
  readonly method: string
  readonly path: string
  readonly operation: Draft
  readonly report: (what: string) => void
}

/** The reason why the service cannot serve an operation. */
export class NotServed extends Error {
  override readonly name = 'NotServed'
}

/** Returns the value if it is an object, else a new object. */
export function toDraft(value: unknown): Draft {
  return isObject(value) ? (value as Draft) : {}
}

/** Returns the object under a key of another object; adds one if there is none. */
export function ensure(holder: Draft, key: string): Draft {
  if (!isObject(holder[key])) {
    holder[key] = {}
  }
  return toDraft(holder[key])
}

/** Returns the object that a value is or refers to: the object itself, not a copy. */
export function follow(root: JsonObject, value: unknown): Draft {
  const documents = toDocuments(root)
  return toDraft(documents.tryTarget({ file: documents.file, pointer: '#', value }).value)
}

/** Calls a function with every object of a draft that is not part of an example. */
export function visitObjects(node: unknown, visit: (object: Draft) => void, name = ''): void {
  if (Array.isArray(node)) {
    for (const item of node) {
      visitObjects(item, visit)
    }
  }
  if (!isObject(node)) {
    return
  }
  visit(toDraft(node))
  for (const [key, child] of Object.entries(node)) {
    // A property may be called `example`.
    const isExample = name !== 'properties' && /^(?:examples?|enum|const|x-.*)$/.test(key)
    if (!isExample) {
      visitObjects(child, visit, key)
    }
  }
}

/** The number of places up to which a change is listed once for each of them. */
const maxPlaces = 3

/** Returns a function that notes changes and one that lists them; a change in many places is listed once. */
export function createChangeLog() {
  const places = new Map<string, Set<string>>()
  const report: Report = (where, what) => {
    places.set(what, (places.get(what) ?? new Set()).add(where))
  }
  const list = (): Change[] =>
    [...places].flatMap(([what, found]) => {
      if (found.size <= maxPlaces) {
        return Array.from(found, (where) => ({ where, what }))
      }
      const [first = ''] = found
      return [{ where: `${first} and ${found.size - 1} other places`, what }]
    })
  return { report, list }
}
