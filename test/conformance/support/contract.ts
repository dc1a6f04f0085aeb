import fc, { type Arbitrary } from 'fast-check'
import type { Json, JsonObject } from '../../support/traffic/contract-index.ts'
import type { Break } from './break.ts'
import { type DescribedOperation, readOperations } from './described.ts'
import { kept } from './kept.ts'
import { createFaultsOf } from './oracle.ts'
import { createFlatten, type Flatten } from './schema.ts'
import { createBreaksOf } from './schema-breaks.ts'
import { createEdgesOf } from './schema-edges.ts'
import { createValuesOf } from './values.ts'

/** A description, and what can be generated from it. */
export interface Contract {
  readonly root: JsonObject
  readonly operations: readonly DescribedOperation[]
  readonly flatten: Flatten
  /** Values that a schema allows. */
  readonly valuesOf: (schema: Json | undefined) => Arbitrary<Json>
  /** Values that are only just valid, by the keyword that they only just keep. */
  readonly edgesOf: (schema: Json | undefined) => readonly Break[]
  /** Everything that a schema refuses, each for one reason. */
  readonly breaksOf: (schema: Json | undefined) => readonly Break[]
}

const sampling = { numRuns: 50, seed: 1 }

/** Makes generators of a description; what they make is held against its schemas by Ajv. */
export function createContract(root: JsonObject): Contract {
  const flatten = createFlatten(root)
  const faultsOf = createFaultsOf(root)
  const rawValues = createValuesOf(flatten)
  const rawBreaks = createBreaksOf(flatten, rawValues)
  const rawEdges = createEdgesOf(flatten, rawValues)
  const isValid = (schema: Json | undefined) => (value: Json) =>
    faultsOf(schema, value).length === 0
  return {
    root,
    operations: readOperations(root),
    flatten,
    valuesOf: (schema) =>
      kept(rawValues(schema), isValid(schema), `values of ${JSON.stringify(schema)}`),
    edgesOf: (schema) =>
      rawEdges(schema).map(({ keyword, place, values }) => {
        const what = `${keyword} at ${place}`
        return { keyword, place, values: kept(values, isValid(schema), what) }
      }),
    breaksOf: (schema) =>
      rawBreaks(schema).flatMap(({ keyword, place, values, isDoubtful = false }) => {
        // To Ajv a field is for answers as much as for requests.
        const isBroken = (value: Json) => keyword === 'readOnly' || !isValid(schema)(value)
        if (isDoubtful && !fc.sample(values, sampling).some(isBroken)) return []
        return [{ keyword, place, values: kept(values, isBroken, `${keyword} at ${place}`) }]
      }),
  }
}
