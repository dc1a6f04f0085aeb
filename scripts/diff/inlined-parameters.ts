import { isObject, type JsonObject, toObject } from '../pipeline/description.ts'
import type { Pair } from './pair.ts'
import { toChild } from './pointer.ts'

/** Inlines the shared parameters that only one of two descriptions has: where they are written is no change. */
export function inlineParameters({ base, current }: Pair): Pair {
  return { base: inline(base, current), current: inline(current, base) }
}

function inline(root: JsonObject, other: JsonObject): JsonObject {
  const known = parametersOf(other)
  const own = Object.entries(parametersOf(root)).filter(([name]) => !(name in known))
  if (own.length === 0) return root
  const byReference = new Map(
    own.map(([name, value]) => [toChild('#/components/parameters', name), value]),
  )
  const kept = Object.entries(parametersOf(root)).filter(([name]) => name in known)
  const components = { ...toObject(root['components']), parameters: Object.fromEntries(kept) }
  return toObject(replace({ ...root, components }, byReference))
}

function parametersOf(root: JsonObject): JsonObject {
  return toObject(toObject(root['components'])['parameters'])
}

function replace(node: unknown, byReference: ReadonlyMap<unknown, unknown>): unknown {
  if (Array.isArray(node)) return node.map((item) => replace(item, byReference))
  if (!isObject(node)) return node
  const target = byReference.get(node['$ref'])
  if (target !== undefined) return target
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, replace(value, byReference)]),
  )
}
