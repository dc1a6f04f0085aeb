import {
  type Description,
  isObject,
  type Json,
  type JsonObject,
  locate,
} from '../contract/description.ts'

/** An object of a description with its reference followed. */
export interface Described {
  /** What it says; what stands beside a reference wins over what is referred to. */
  readonly node: JsonObject
  /** The name of the component that it refers to. */
  readonly component?: string
}

/** Follows the references of a description. */
export type Open = (value: Json | undefined) => Described

/** Makes the function that follows the references of a description. */
export function createOpen(description: Description): Open {
  return function open(value) {
    if (!isObject(value)) return { node: {} }
    const { $ref, ...beside } = value
    if (typeof $ref !== 'string') return { node: value }
    const target = locate(description, { node: { $ref }, pointer: '' })
    const component = /^#\/components\/[^/]+\/([^/]+)$/.exec($ref)?.[1]
    const node = { ...target?.node, ...beside }
    return component === undefined ? { node } : { node, component }
  }
}

/** The members of a JSON value that is an object; none of any other. */
export function entriesOf(value: Json | undefined): [string, Json][] {
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [[name, member] satisfies [string, Json]],
  )
}

/** A JSON value as a list; empty where it is none. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** A JSON value as text; undefined where it is none. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
