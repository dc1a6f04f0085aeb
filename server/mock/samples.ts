import { type CompileSchema, createCompiler, type Validate } from '../contract/ajv.ts'
import { ApiError } from '../contract/errors.ts'
import { serviceHeaders } from '../contract/headers.ts'
import type { Direction } from '../contract/schema-adapter.ts'
import type { Description, Header, MediaType } from '../description/description.ts'
import { valuesOfForm } from '../description/discriminators.ts'
import type { Documents } from '../description/documents.ts'
import { readExamples } from '../description/example-values.ts'
import { isObject, toList, toObject } from '../description/json.ts'
import { unescapeToken } from '../description/pointer.ts'
import { isMarked } from '../description/schemas.ts'
import { findValue, type SchemaReader } from './schema-values.ts'

/** What has a schema and examples. */
export type Exemplified = Pick<Header | MediaType, 'at' | 'examples' | 'schema'>

/** A value that is valid for a media type or a header, and the check of others. */
export interface Sample {
  readonly value: unknown
  readonly isValid: (value: unknown) => boolean
}

/** A value that was found by a schema. */
export interface FoundSample extends Sample {
  /** Returns a valid value for each form of `oneOf` and `anyOf`, as far as one is found; else one value. */
  readonly ofEachForm: () => readonly unknown[]
}

/** Finds a valid value for a media type or a header, whose name in messages is `what`. */
export type FindSample = (what: string, holder: Exemplified, example?: string) => FoundSample

/**
 * Returns a function that finds a valid value for a media type or a header: the example with a name, or
 * else the first one of all its examples and of the samples of its schema. It throws an `ApiError` if
 * there is none; `what` names the value.
 */
export function createFindSample({ documents }: Description): FindSample {
  const compile = createCompiler(documents, 'response')
  const reader = createSchemaReader(documents, 'response', compile)
  const samples = new Map<Exemplified, Map<string | undefined, FoundSample>>()

  return function findSample(what, holder, example) {
    const ofHolder = samples.getOrInsertComputed(holder, () => new Map())
    const existing = ofHolder.get(example)
    if (existing !== undefined) {
      return existing
    }

    const schema = holder.schema?.value
    const validate = compile({ allOf: [schema ?? true] })
    const examples = examplesOf(holder, documents)
    const named = example === undefined ? undefined : [examples.get(example)]
    let violation: string | undefined

    for (const candidate of named ?? candidatesFor(reader, schema, examples.values())) {
      const value = withoutWriteOnly(candidate, validate)
      if (validate(value)) {
        const isValid = (other: unknown) => validate(other)
        let forms: readonly unknown[] | undefined
        const ofEachForm = () => {
          forms ??= valuesOfForms(reader, schema, value, isValid)
          return forms
        }
        const sample = { value, isValid, ofEachForm }
        ofHolder.set(example, sample)
        return sample
      }

      const [error] = validate.errors ?? []
      violation ??= `${error?.instancePath} ${error?.message}`.trim()
    }

    throw missingSample(what, violation ?? 'no value for it is known')
  }
}

/** Returns the error of what has no sample, for a reason. */
export function missingSample(what: string, reason: string): ApiError {
  const advice =
    'Add an example to the description, or ask for another response with Prefer: code=…'
  return new ApiError({ status: 501, code: 'not_implemented' }, `${what} ${reason}. ${advice}.`)
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

  const { [key]: member, ...otherMembers } = isObject(value) ? value : {}
  return path.length === 0 ? otherMembers : { ...otherMembers, [key]: without(member, path) }
}

/** How many forms of `oneOf` and `anyOf` are tried first. */
const formAttempts = 8

/**
 * Yields values that may be valid for a schema of a description: examples, those of the schema, and values
 * that are found by it, the most complete ones first.
 */
export function* candidatesFor(
  reader: SchemaReader,
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

  for (let firstForm = 0; firstForm < formAttempts; firstForm++) {
    for (const isComplete of [true, false]) {
      for (const useExamples of [true, false]) {
        const candidate = findValue(schema, reader, { isComplete, useExamples, firstForm })
        if (candidate !== undefined) {
          yield candidate.value
        }
      }
    }
  }
}

/** How many forms of `oneOf` and `anyOf` have a value of their own. */
const mostForms = 32

/** Returns a valid value for each form of `oneOf` and `anyOf`; the value that is known if no other one is found. */
export function valuesOfForms(
  reader: SchemaReader,
  schema: unknown,
  knownValue: unknown,
  isValid: (value: unknown) => boolean,
): readonly unknown[] {
  const values = new Map<string, unknown>()
  for (let firstForm = 0; firstForm < mostForms; firstForm++) {
    const candidates = [true, false].map((useExamples) =>
      findValue(schema, reader, { isComplete: true, useExamples, firstForm }),
    )
    const valid = candidates.find((candidate) => candidate && isValid(candidate.value))
    if (valid !== undefined) {
      values.set(JSON.stringify(valid.value), valid.value)
    }
  }
  return values.size > 1 ? [...values.values()] : [knownValue]
}

/** Returns what values of the schemas of a description are found by; they are sent in a direction. */
export function createSchemaReader(
  documents: Documents,
  direction: Direction,
  compile: CompileSchema,
): SchemaReader {
  const mark = direction === 'response' ? 'writeOnly' : 'readOnly'
  const compiled = new WeakMap<object, Validate>()
  const located = (value: unknown) => ({ ...documents.root, value })

  return {
    target: ($ref) => documents.tryNext(located({ $ref }))?.value,
    formValues: (form, discriminator) => valuesOfForm(located(form), discriminator, documents),
    isOmitted: (schema) => isMarked(located(schema), mark, documents),
    isValid(schema, value) {
      if (!isObject(schema)) {
        return schema !== false
      }
      const validate = compiled.getOrInsertComputed(schema, () => compile({ allOf: [schema] }))
      return validate(value)
    },
  }
}

/** Returns the examples of what has some by name; `example` is called that. */
export function examplesOf(
  holder: Exemplified | undefined,
  documents: Documents,
): Map<string, unknown> {
  return holder === undefined ? new Map() : readExamples(holder.examples, documents)
}

/** Returns whether the service itself sends a header, whatever a handler does. */
export function isOfService(name: string): boolean {
  return serviceHeaders.some((serviceHeader) => serviceHeader.toLowerCase() === name.toLowerCase())
}

/** Returns whether every response of a mock has a sample of a header. */
export function isSampled({ name, isRequired }: Header): boolean {
  return isRequired && !isOfService(name)
}
