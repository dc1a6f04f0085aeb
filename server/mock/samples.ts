import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type GenerateSyncOptions, generateSync } from 'json-schema-faker'
import { createCompiler } from '../contract/ajv.ts'
import { type Description, type Located, locate } from '../contract/description.ts'

/** A valid value, or what is wrong with the first candidate. */
export type Sample = { readonly value: unknown } | { readonly violation: string }

/** Returns the first valid value for a media type or a header: of `examples`, or of its schema. */
export type FindSample = (
  holder: Located,
  examples: Iterable<unknown>,
  isStrict?: boolean,
) => Sample

/** Returns a function that finds samples; with `isStrict`, of the given examples alone. */
export function createFindSample(description: Description): FindSample {
  const compile = createCompiler(description, 'response')
  const validators = new Map<string, ValidateFunction>()

  function violationOf(schema: Located, value: unknown): string | undefined {
    const { pointer } = schema
    const $ref = `description#${encodeURI(pointer)}`
    const validate = validators.get(pointer) ?? compile({ $ref })
    validators.set(pointer, validate)
    if (validate(value)) return undefined
    const [error] = validate.errors ?? []
    return `${error?.instancePath} ${error?.message}`.trim()
  }

  return function findSample(holder, examples, isStrict = false) {
    const schema = locate(description, holder, 'schema')
    let violation: string | undefined
    const candidates = isStrict ? examples : candidatesFor(description, schema, examples)
    for (const value of candidates) {
      if (value === undefined) continue
      const found = schema && violationOf(schema, value)
      if (found === undefined) return { value }
      violation ??= found
    }
    return { violation: violation ?? 'no value for it is known' }
  }
}

function* candidatesFor(
  description: Description,
  schema: Located | undefined,
  examples: Iterable<unknown>,
): Generator<unknown> {
  yield* examples
  if (schema === undefined) return
  const own = schema.node['examples']
  if (Array.isArray(own)) yield* own
  // The faker merges what stands beside a `$ref`, so the reference is in a property.
  const { components, paths } = description
  const wrapped = {
    type: 'object',
    required: ['value'],
    properties: { value: { $ref: `#${schema.pointer}` } },
    ...{ components, paths },
  }
  for (const options of attempts) for (const seed of seeds) yield generate(wrapped, options, seed)
}

// The most complete values first, then smaller ones: a schema may refer to itself.
const attempts: readonly GenerateSyncOptions[] = [
  { useExamplesValue: true, alwaysFakeOptionals: true, filterExampleDefaults: false },
  { alwaysFakeOptionals: true },
  { optionalsProbability: 0.5 },
  { optionalsProbability: 0, refDepth: 1 },
]
const seeds = [1, 2, 3, 4, 5]

function generate(schema: object, options: GenerateSyncOptions, seed: number): unknown {
  try {
    const made = generateSync({ ...schema }, { ...options, seed })
    return typeof made === 'object' && made !== null && 'value' in made ? made.value : undefined
  } catch {
    // It does not support some schemas.
    return undefined
  }
}
