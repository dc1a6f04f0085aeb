import type { Header, Response } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { fillHeader } from '../description/error-filling.ts'
import { readShape, type Shape } from '../description/error-shape.ts'
import type { ErrorFacts } from './error-format.ts'
import type { HeaderValue } from './header-value.ts'
import { type ResponseHeaders, serviceHeaders } from './headers.ts'

/**
 * Returns headers under the names that a response declares, numbers as texts where it declares texts. Those
 * that an error must have and does not are made up from their names, schemas and examples.
 */
export function fitHeaders(
  declared: Response | undefined,
  headers: ResponseHeaders,
  documents: Documents,
  error?: ErrorFacts,
): ResponseHeaders {
  const fitted = { ...headers }
  for (const header of declared?.headers ?? []) {
    const { name } = header
    const sentKey = Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase())
    const value = sentKey === undefined ? undefined : headers[sentKey]
    if (sentKey !== undefined) {
      delete fitted[sentKey]
    }

    const fittedValue =
      value === undefined
        ? makeUp(header, documents, error)
        : toDeclaredType(header, value, documents)
    if (fittedValue !== undefined) {
      fitted[sentName(name)] = fittedValue
    }
  }
  return fitted
}

/** Returns the name of a declared header as the service writes it. */
function sentName(declared: string): string {
  const ofService = serviceHeaders.find((name) => name.toLowerCase() === declared.toLowerCase())
  return ofService ?? declared
}

function toDeclaredType({ schema }: Header, value: HeaderValue, documents: Documents): HeaderValue {
  const shape = schema && readShape(schema, documents, 0)
  const isText = shape?.types.length === 1 && shape.types[0] === 'string'
  return isText && typeof value !== 'object' ? String(value) : value
}

function makeUp(
  { name, schema, examples, isRequired }: Header,
  documents: Documents,
  error: ErrorFacts | undefined,
): HeaderValue | undefined {
  if (error === undefined || !isRequired) {
    return undefined
  }
  const shape: Shape | undefined = schema && readShape(schema, documents, 0)
  const value = shape && fillHeader(name, shape, error, examples['example'])
  return typeof value === 'number' || typeof value === 'boolean' ? value : String(value ?? '')
}
