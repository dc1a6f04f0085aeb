import { isDeepStrictEqual } from 'node:util'
import {
  dereference,
  isObject,
  type JsonObject,
  toList,
  toObject,
} from '../pipeline/description.ts'

/** What people read of a part is not said of the whole. */
const annotations = ['title', 'description', 'summary', 'example', 'examples', '$comment']
/** Keywords that look at the other keywords beside them, which more of them would change. */
const lookingAround = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'items']

/** A schema with the parts of its `allOf` merged into it; undefined where that would change it. */
export function flatten(root: JsonObject, schema: unknown): JsonObject | undefined {
  const { allOf, ...own } = dereference(root, schema)
  const parts = toList(allOf).map((part) => flatten(root, part))
  let whole: JsonObject | undefined = { ...own, required: sorted(own['required']) }
  for (const part of parts) {
    if (part === undefined || whole === undefined) return undefined
    if (lookingAround.some((keyword) => keyword in part)) return undefined
    whole = merge(whole, part)
  }
  return whole
}

function merge(whole: JsonObject, part: JsonObject): JsonObject | undefined {
  const merged: Record<string, unknown> = { ...whole }
  for (const [keyword, value] of Object.entries(part)) {
    if (annotations.includes(keyword)) continue
    if (keyword === 'required') {
      merged[keyword] = sorted([...toList(whole[keyword]), ...toList(value)])
    } else if (keyword === 'properties') {
      const properties = mergeProperties(toObject(whole[keyword]), toObject(value))
      if (properties === undefined) return undefined
      merged[keyword] = properties
    } else if (keyword in whole && !isDeepStrictEqual(whole[keyword], value)) {
      return undefined
    } else {
      merged[keyword] = value
    }
  }
  return merged
}

function mergeProperties(one: JsonObject, other: JsonObject): JsonObject | undefined {
  const shared = Object.keys(other).filter((name) => isObject(one[name]))
  const isSame = shared.every((name) => isDeepStrictEqual(one[name], other[name]))
  return isSame ? { ...one, ...other } : undefined
}

function sorted(required: unknown): readonly string[] {
  return [...new Set(toList(required).map(String))].sort()
}
