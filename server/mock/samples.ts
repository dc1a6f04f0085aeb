import { type GenerateSyncOptions, generateSync, type JsonSchema } from 'json-schema-faker'
import { createCompiler, type Validate } from '../contract/ajv.ts'
import { ApiError } from '../contract/errors.ts'
import type { Description, Header, MediaType } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { isObject, toList, toObject } from '../description/json.ts'
import { unescapeToken } from '../description/pointer.ts'

/** What has a schema and examples. */
export type Exemplified = Pick<Header | MediaType, 'at' | 'examples' | 'schema'>

/** A value that is valid for a media type or a header, and the check of others. */
export interface Sample {
  readonly value: unknown
  readonly isValid: (value: unknown) => boolean
}

/** Finds a valid value for a media type or a header, whose name in messages is `what`. */
export type FindSample = (what: string, holder: Exemplified, example?: string) => Sample

/**
 * Returns a function that finds a valid value for a media type or a header: the example with a name, or
 * else the first one of all its examples and of the samples of its schema. It throws an `ApiError` if
 * there is none; `what` names the value.
 */
export function createFindSample({ documents }: Description): FindSample {
  const compile = createCompiler(documents, 'response')
  const found = new Map<string, Sample>()

  return function findSample(what, holder, example) {
    const key = JSON.stringify([what, example])
    const known = found.get(key)
    if (known !== undefined) {
      return known
    }

    const schema = holder.schema?.value
    const validate = compile({ allOf: [schema ?? true] })
    const examples = examplesOf(holder, documents)
    const named = example === undefined ? undefined : [examples.get(example)]
    let violation: string | undefined

    const { value: document } = documents.root
    for (const candidate of named ?? candidatesFor(document, schema, examples.values())) {
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
function withoutWriteOnly(value: unknown, validate: Validate): unknown {
  if (validate(value)) {
    return value
  }

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

/** Stands for `__proto__`: the faker adds members by assignment, which sets the prototype instead. */
const protoAlias = '__proto-name__'

/**
 * Yields values that may be valid for a schema of a description: examples, those of the schema, and samples
 * of it.
 */
export function* candidatesFor(
  document: unknown,
  schema: unknown,
  examples: Iterable<unknown>,
): Generator<unknown> {
  yield* examples
  if (schema === undefined) {
    // Without a schema, any JSON value is valid.
    yield null
    return
  }

  yield* toList(toObject(schema)['examples'])

  const { components, paths } = toObject(document)
  // The faker merges what stands beside a `$ref`, so the reference is in a property.
  const properties = { value: schema }
  const wrapped = { type: 'object', required: ['value'], properties, components, paths }
  const text = JSON.stringify(wrapped).replaceAll('"__proto__"', `"${protoAlias}"`)
  const adapted: JsonSchema = JSON.parse(text, withoutFalse)

  for (const options of attempts) {
    for (const seed of seeds) {
      const sample = generate(adapted, { ...options, seed })
      if (sample !== undefined) {
        yield sample.value
      }
    }
  }
}

/** Removes what no value fits from the forms of a schema: the faker may choose it. */
function withoutFalse(key: string, value: unknown): unknown {
  const isForms = key === 'anyOf' || key === 'oneOf'
  return isForms && Array.isArray(value) ? value.filter((form) => form !== false) : value
}

/** Returns a sample of a schema; undefined if the faker does not support the schema. */
function generate(
  schema: JsonSchema,
  options: GenerateSyncOptions,
): { readonly value?: unknown } | undefined {
  try {
    const sample = JSON.stringify(generateSync(schema, options))
    return JSON.parse(sample.replaceAll(protoAlias, '__proto__'))
  } catch {
    return undefined
  }
}

/** Returns the examples of what has some by name; `example` is called that. */
export function examplesOf(
  holder: Exemplified | undefined,
  documents: Documents,
): Map<string, unknown> {
  const found = new Map<string, unknown>()
  if (holder === undefined) {
    return found
  }

  const { example, examples } = holder.examples
  if (example !== undefined) {
    found.set('example', example)
  }
  for (const [name, value] of Object.entries(toObject(examples))) {
    const { value: object } = documents.target({ ...holder.at, value })
    if (isObject(object) && 'value' in object) {
      found.set(name, object['value'])
    }
  }
  return found
}
