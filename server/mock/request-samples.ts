import { createCompiler } from '../contract/ajv.ts'
import type { Documents } from '../description/documents.ts'
import { isObject } from '../description/json.ts'
import type { Located } from '../description/location.ts'
import { createSchemaReader, valuesOfForms } from './samples.ts'
import { findValue, type SchemaReader } from './schema-values.ts'

/** Makes valid values for schemas of requests. */
export interface RequestSamples {
  /**
   * Returns an example of the schema, or else a value with the properties that are required, or with all of them if
   * none is; undefined if none is found.
   */
  readonly find: (schema: Located | undefined) => unknown
  /** Returns a value for each form of `oneOf` and `anyOf`; an empty list if none is found. */
  readonly ofEachForm: (schema: Located | undefined) => readonly unknown[]
}

/** How many forms of `oneOf` and `anyOf` are tried first. */
const formAttempts = 8

/** Returns what makes valid values for the schemas of requests of a description. */
export function createRequestSamples(documents: Documents): RequestSamples {
  let opened: SchemaReader | undefined
  const openReader = () => {
    opened ??= createRequestReader(documents)
    return opened
  }

  function find(schema: Located | undefined): unknown {
    return schema === undefined ? undefined : findValid(schema.value, openReader())
  }

  function ofEachForm(schema: Located | undefined): readonly unknown[] {
    const example = find(schema)
    if (schema === undefined || example === undefined) {
      return []
    }
    const reader = openReader()
    const isValid = (value: unknown) => reader.isValid(schema.value, value)
    return valuesOfForms(reader, schema.value, example, isValid)
  }

  return { find, ofEachForm }
}

/** Returns the first valid value of a schema that is not an empty object; undefined if none is found. */
function findValid(schema: unknown, reader: SchemaReader): unknown {
  let empty: unknown
  for (const value of candidatesOf(schema, reader)) {
    if (!reader.isValid(schema, value)) {
      continue
    }
    if (!isEmpty(value)) {
      return value
    }
    empty = value
  }
  return empty
}

function createRequestReader(documents: Documents): SchemaReader {
  const reader = createSchemaReader(documents, 'request', createCompiler(documents, 'request'))
  // The validator of requests changes what it validates: it adds defaults.
  const isValid = (schema: unknown, value: unknown) =>
    reader.isValid(schema, structuredClone(value))
  return { ...reader, isValid }
}

/** Yields values that may be valid for a schema, those with the fewest properties first. */
function* candidatesOf(schema: unknown, reader: SchemaReader): Generator<unknown> {
  for (const isComplete of [false, true]) {
    for (const useExamples of [true, false]) {
      for (let firstForm = 0; firstForm < formAttempts; firstForm++) {
        const candidate = findValue(schema, reader, { isComplete, useExamples, firstForm })
        if (candidate !== undefined) {
          yield candidate.value
        }
      }
    }
  }
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}
