import type { ValidateFunction } from 'ajv/dist/2020.js'
import { type GenerateSyncOptions, generateSync } from 'json-schema-faker'
import { createCompiler } from '../contract/ajv.ts'
import {
  type Description,
  isObject,
  type JsonObject,
  type SchemaHolder,
  unescapeToken,
} from '../contract/description.ts'
import { ApiError } from '../contract/errors.ts'

/** A value that is valid for a media type or a header, and the check of others. */
export interface Sample {
  readonly value: unknown
  readonly isValid: (value: unknown) => boolean
}

/** Finds a valid value for a media type or a header, whose name in messages is `what`. */
export type FindSample = (what: string, holder: SchemaHolder, example?: string) => Sample

/**
 * Returns a function that finds a valid value for a media type or a header: the example with a name, or
 * else the first one of all its examples and of the samples of its schema. It throws an `ApiError` if
 * there is none; `what` names the value.
 */
export function createFindSample(description: Description): FindSample {
  const compile = createCompiler(description, 'response')
  const found = new Map<string, Sample>()

  return function findSample(what, holder, example) {
    const key = JSON.stringify([what, example])
    const known = found.get(key)
    if (known !== undefined) return known

    const { schema } = holder
    const validate = compile(schema ?? {})
    const examples = examplesOf(holder)
    const named = example === undefined ? undefined : [examples.get(example)]
    let violation: string | undefined

    for (const candidate of named ?? candidatesFor(description, schema, examples.values())) {
      const value = withoutWriteOnly(candidate, validate)
      if (validate(value)) {
        const sample = { value, isValid: (other: unknown) => validate(other) }
        found.set(key, sample)
        return sample
      }

      const [error] = validate.errors ?? []
      violation ??= `${error?.instancePath} ${error?.message}`.trim()
    }

    const advice =
      'Add an example to the description, or ask for another response with Prefer: code=…'
    const message = `${what} ${violation ?? 'no value for it is known'}. ${advice}.`
    // Not 501, which the operation does not declare.
    throw new ApiError({ status: 500, code: 'internal_error' }, message)
  }
}

/** Returns a value, or a copy of it without the properties that are for requests alone. */
function withoutWriteOnly(value: unknown, validate: ValidateFunction): unknown {
  if (validate(value)) return value

  const errors = (validate.errors ?? []).filter(({ keyword }) => keyword === 'writeOnly')
  const paths = errors.map(({ instancePath }) => instancePath.split('/').slice(1))
  return paths.reduce<unknown>((rest, path) => without(rest, path.map(unescapeToken)), value)
}

/** Returns a copy of a JSON value without what is at a path. */
function without(value: unknown, [key = '', ...path]: readonly string[]): unknown {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    return items.with(Number(key), path.length === 0 ? null : without(items[Number(key)], path))
  }

  const { [key]: member, ...others } = isObject(value) ? value : {}
  return path.length === 0 ? others : { ...others, [key]: without(member, path) }
}

// The most complete value first, then the smallest, for which the faker goes deep into a schema.
const attempts: readonly GenerateSyncOptions[] = [
  { useExamplesValue: true, alwaysFakeOptionals: true, filterExampleDefaults: false },
  { optionalsProbability: 0, maxDefaultItems: 1, maxDepth: 20 },
]
const seeds = [1, 2, 3, 4, 5]

/** Yields values that may be valid for a schema: examples, those of the schema, and samples of it. */
export function* candidatesFor(
  { components, paths }: Description,
  schema: JsonObject | undefined,
  examples: Iterable<unknown>,
): Generator<unknown> {
  yield* examples
  if (schema === undefined) {
    // Without a schema, any JSON value is valid.
    yield null
    return
  }

  const own = schema['examples']
  if (Array.isArray(own)) yield* own

  // The faker merges what stands beside a `$ref`, so the reference is in a property.
  const properties = { value: schema }
  const wrapped = { type: 'object', required: ['value'], properties, components, paths }

  for (const options of attempts) {
    for (const seed of seeds) {
      const sample = generate(wrapped, { ...options, seed })
      if (sample !== undefined) yield sample.value
    }
  }
}

/** Returns a sample of a schema; undefined if the faker does not support the schema. */
function generate(
  schema: JsonObject,
  options: GenerateSyncOptions,
): { readonly value?: unknown } | undefined {
  try {
    const sample = generateSync({ ...schema }, options)
    return isObject(sample) ? sample : undefined
  } catch {
    return undefined
  }
}

/** Returns the examples of a media type or a header by name; `example` is called that. */
export function examplesOf({ example, examples = {} }: SchemaHolder = {}): Map<string, unknown> {
  const found = new Map<string, unknown>()
  if (example !== undefined) found.set('example', example)
  for (const [name, one] of Object.entries(examples)) {
    if (isObject(one) && 'value' in one) found.set(name, one['value'])
  }
  return found
}
