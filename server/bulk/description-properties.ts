import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  locate,
} from '../contract/description.ts'

/** Follows the references of a description; keys beside a reference win. */
export type Open = (value: Json | undefined) => { readonly node: JsonObject }

/** Returns the function that follows the references of a description. */
export function createOpen(description: Description): Open {
  return function open(value) {
    if (!isObject(value)) return { node: {} }
    const { $ref, ...beside } = value
    if (typeof $ref !== 'string') return { node: value }
    return { node: { ...locate(description, { node: { $ref }, pointer: '' })?.node, ...beside } }
  }
}

/** Returns a JSON value as a list; empty where it is none. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
/** A property of an object, gathered from everything that a schema is made of. */
export interface Property {
  readonly name: string
  readonly schema: Json
  readonly isRequired: boolean
}

/** The properties of a schema, those of its `allOf` included; later ones narrow earlier ones. */
export function propertiesOf(open: Open, value: Json | undefined): Property[] {
  const schemas = new Map<string, Json>()
  const required = new Set<string>()
  gather(open, value, schemas, required, 0)
  return [...schemas].map(([name, schema]) => ({ name, schema, isRequired: required.has(name) }))
}

/** How deep schemas are looked into; one that is made of itself has no end. */
const deepest = 12

function gather(
  open: Open,
  value: Json | undefined,
  schemas: Map<string, Json>,
  required: Set<string>,
  depth: number,
): void {
  if (depth > deepest) return
  const { node } = open(value)
  for (const part of listOf(node['allOf'])) gather(open, part, schemas, required, depth + 1)
  for (const [name, schema] of entriesOf(node['properties'])) {
    const earlier = schemas.get(name)
    schemas.set(name, earlier === undefined ? schema : narrowed(open, earlier, schema))
  }
  for (const name of listOf(node['required'])) required.add(String(name))
}

// Without the reference: what narrows it is not what the name promises.
function narrowed(open: Open, earlier: Json, later: Json): Json {
  return { ...open(earlier).node, ...open(later).node }
}

function entriesOf(value: Json | undefined): [string, Json][] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, member] satisfies [string, Json]],
  )
}
