import { createCompiler } from '../contract/ajv.ts'
import type { HeaderValue } from '../contract/header-value.ts'
import type { ResponseHeaders } from '../contract/headers.ts'
import { LargeIntegers } from '../contract/large-integers.ts'
import { headerSchema } from '../contract/message-schemas.ts'
import type { FormField } from '../contract/operation.ts'
import { createFits } from '../contract/parameter-fits.ts'
import { type LocationRows, readHeaderRows } from '../contract/parameter-rows.ts'
import type { Fits } from '../contract/parameter-value.ts'
import { readLocation } from '../contract/parameters.ts'
import type { Description, Header } from '../description/description.ts'
import { isJsonContent, valueSchemaOf } from '../description/parameter-form.ts'
import { readShape } from '../description/value-shape.ts'

/** The values of header fields by their names, in lower case. */
export type FieldTexts = Readonly<Record<string, readonly string[] | undefined>>

/** The headers of a response as they are read. */
interface DeclaredHeaders {
  readonly rows: LocationRows
  readonly fits: Fits
}

/**
 * Returns a function that reads the headers which a response declares, as parameters in headers are read. A
 * header that has no value of its type is its text, in which the schema finds the error.
 */
export function createHeaderReader(description: Description) {
  const declaredByHeaders = new Map<readonly Header[], DeclaredHeaders>()
  const compile = createCompiler(description.documents, 'response', { largeIntegers: 'accept' })

  function toRow(header: Header): FormField {
    const isJson = isJsonContent(header)
    const shape = isJson ? {} : readShape(valueSchemaOf(header), description.documents)
    const { isRequired: required, form } = header
    return { required, ...shape, explode: form.explode, ...(isJson && { content: 'json' }) }
  }

  function toDeclared(headers: readonly Header[]): DeclaredHeaders {
    const rows = headers.map((header) => [header.name, toRow(header)] as const)
    return {
      rows: readHeaderRows(Object.fromEntries(rows)),
      fits: createFits(({ name }) => headerSchema(headers, name), compile),
    }
  }

  return function readHeaders(declared: readonly Header[], fields: FieldTexts): ResponseHeaders {
    const { rows, fits } = declaredByHeaders.getOrInsertComputed(declared, toDeclared)
    const pairs = declared.flatMap(({ name }) => {
      const texts = fields[name.toLowerCase()]
      return texts === undefined ? [] : [{ name, text: texts.join(', '), rawName: name }]
    })
    const values = readLocation(rows, pairs, {
      details: [],
      rounded: [],
      large: new LargeIntegers(),
      fits,
      repeatedParameters: 'reject',
    })
    const headers = pairs.map(({ name, text }) => {
      const value = values[name] === undefined ? text : values[name]
      // What is read of a text, or of JSON, is a value that a header may have.
      return [name, value as HeaderValue] as const
    })
    return Object.fromEntries(headers)
  }
}
