import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createCompiler } from '../contract/ajv.ts'
import { type Description, type Located, locate } from '../contract/description.ts'
import { sampleValues } from './samples.ts'

/** A value that fits a schema, or what is wrong with the best that there is. */
export type Fit =
  | { readonly isFound: true; readonly value: unknown }
  | { readonly isFound: false; readonly faults: readonly string[] }

/** Finds a value for what stands at a place of a description and has a `schema`. */
export type FindFit = (at: Located, shown: Iterable<unknown>) => Fit

/** Makes searches for values: examples come first, and only what fits the schema is taken. */
export function createFitting(description: Description) {
  const compile = createCompiler(description, 'response')
  const validators = new Map<string, ValidateFunction>()

  function faultsOf(schema: Located | undefined, value: unknown): string[] {
    if (schema === undefined) return []
    const { pointer } = schema
    const validate =
      validators.get(pointer) ?? compile({ $ref: `description#${encodeURI(pointer)}` })
    validators.set(pointer, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  function firstFit(schema: Located | undefined, values: Iterable<unknown>): Fit {
    let faults: readonly string[] | undefined
    for (const value of values) {
      if (value === undefined) continue
      const found = faultsOf(schema, value)
      if (found.length === 0) return { isFound: true, value }
      // The first is what its author thinks of, so its faults are the ones to tell.
      faults ??= found
    }
    return { isFound: false, faults: faults ?? ['no value for it is known'] }
  }

  function* valuesFor(schema: Located | undefined, shown: Iterable<unknown>): Generator<unknown> {
    yield* shown
    if (schema === undefined) return
    const { examples } = schema.node
    if (Array.isArray(examples)) yield* examples
    yield* sampleValues(description, schema)
  }

  return {
    /** One of the examples that are shown, or those of the schema, or a sample of it. */
    find(at: Located, shown: Iterable<unknown>): Fit {
      const schema = locate(description, at, 'schema')
      return firstFit(schema, valuesFor(schema, shown))
    },
    /** This very example. */
    take: (at: Located, example: unknown): Fit =>
      firstFit(locate(description, at, 'schema'), [example]),
  }
}
