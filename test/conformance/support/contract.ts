import type { Arbitrary } from 'fast-check'
import type { Json, JsonObject } from '../../support/traffic/contract-index.ts'
import type { Break } from './break.ts'
import { type DescribedOperation, readOperations } from './described.ts'
import { kept } from './kept.ts'
import { createFaultsOf } from './oracle.ts'
import { createFlatten, type Flatten } from './schema.ts'
import { createBreaksOf } from './schema-breaks.ts'
import { createValuesOf } from './values.ts'

/** A description, and what can be generated from it. */
export interface Contract {
  readonly root: JsonObject
  readonly operations: readonly DescribedOperation[]
  readonly flatten: Flatten
  /** Values that a schema allows. */
  readonly valuesOf: (schema: Json | undefined) => Arbitrary<Json>
  /** Everything that a schema refuses, each for one reason. */
  readonly breaksOf: (schema: Json | undefined) => readonly Break[]
}

/** Makes generators of a description; what they make is held against its schemas by Ajv. */
export function createContract(root: JsonObject): Contract {
  const flatten = createFlatten(root)
  const faultsOf = createFaultsOf(root)
  const rawValues = createValuesOf(flatten)
  const rawBreaks = createBreaksOf(flatten, rawValues)
  const isValid = (schema: Json | undefined) => (value: Json) =>
    faultsOf(schema, value).length === 0
  return {
    root,
    operations: readOperations(root),
    flatten,
    valuesOf: (schema) =>
      kept(rawValues(schema), isValid(schema), `values of ${JSON.stringify(schema)}`),
    breaksOf: (schema) =>
      rawBreaks(schema).map((each) => {
        const isBroken = (value: Json) => each.keyword === 'readOnly' || !isValid(schema)(value)
        return { ...each, values: kept(each.values, isBroken, `${each.keyword} at ${each.place}`) }
      }),
  }
}
