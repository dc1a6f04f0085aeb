import { dereference, type JsonObject, pointAt, toObject } from '../description.ts'
import { Doubt } from './doubt.ts'

/** Types whose values have one text, so that a parameter's value can be told from it. */
const plainTypes: readonly unknown[] = ['string', 'integer', 'number', 'boolean']

/** Header fields that OpenAPI tells nobody to describe, and that mean more to the validator. */
const reserved = ['accept', 'authorization', 'content-type']

/** The schema of a parameter in its plainest form; `false` where that is to be left out. */
export function schemaOfParameter(root: JsonObject, row: JsonObject): unknown {
  if (isOutOfTheOrdinary(root, row)) throw new Doubt('The parameter may be read in another way.')
  const { schema, in: place } = row
  const fallback = defaultOf(root, schema)
  if (place !== 'cookie' && plainTypes.includes(dereference(root, schema)['type'])) {
    // The validator follows references of parameters, and then fills in their defaults too.
    return fallback === undefined ? schema : { allOf: [schema], default: fallback }
  }
  if (fallback !== undefined) throw new Doubt('A parameter that is not plain has a default.')
  return false
}

/** Whether the validator does something with a parameter even where it was not sent. */
function isOutOfTheOrdinary(root: JsonObject, { name, in: place, schema, content }: JsonObject) {
  if (place === 'header' && reserved.includes(String(name).toLowerCase())) return true
  // A name with brackets is that of an object to it.
  if (place === 'query' && String(name).includes('[')) return true
  if (content !== undefined) return false
  const { type, allOf, anyOf, oneOf } = dereference(root, schema)
  // It finds no way to split a list outside of paths and queries, and refuses everything.
  if (type === 'array') return place === 'header' || place === 'cookie'
  // It takes the fields of an object out of other parameters, and reads as JSON what may be one.
  return place === 'query' && (type === 'object' || [allOf, anyOf, oneOf].some(Boolean))
}

function defaultOf(root: JsonObject, schema: unknown): unknown {
  const { $ref, default: own } = toObject(schema)
  if ($ref === undefined) return own
  if (own !== undefined)
    throw new Doubt('The validator passes over what stands beside a reference.')
  return defaultOf(root, pointAt(root, String($ref)))
}
