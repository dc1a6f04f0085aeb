import { type Description, type Located, locate, rootOf } from './description.ts'
import { toLogText } from './details.ts'
import type { AnyResponse } from './handler.ts'
import { json, type ResponseHeaders } from './headers.ts'
import type { MessageSchemas } from './message-schemas.ts'
import type { Operation } from './operation.ts'

export interface ResponseValidationOptions {
  readonly description: Description
  readonly schemas: MessageSchemas
  /** Headers that are sent without being declared. */
  readonly undeclaredHeaders: readonly string[]
}

/** Returns where a response violates the description; `operation` is undefined for undeclared paths. */
export type ResponseValidator = (
  operation: Operation | undefined,
  response: AnyResponse,
  headers: ResponseHeaders,
) => readonly string[]

/** Returns a function that validates responses: status code, headers, media type and body. */
export function createResponseValidator(options: ResponseValidationOptions): ResponseValidator {
  const { description, schemas, undeclaredHeaders } = options
  const declared = new Map<Operation | undefined, Map<number, Located | undefined>>()

  function declaredResponse(operation: Operation | undefined, status: number) {
    const ofOperation = declared.get(operation) ?? new Map<number, Located | undefined>()
    if (!ofOperation.has(status)) {
      declared.set(operation, ofOperation)
      ofOperation.set(status, locateResponse(description, operation, status))
    }
    return ofOperation.get(status)
  }

  return function validateResponse(operation, { status, body, mediaType = json }, headers) {
    const declared = declaredResponse(operation, status)
    if (declared === undefined) return [`status ${status} is not declared`]
    const { content } = declared.node
    if (body !== undefined && content !== undefined && !Object.hasOwn(Object(content), mediaType)) {
      return [`media type ${mediaType} is not declared`]
    }
    const values = {
      headers: withoutUndefined(headers, undeclaredHeaders),
      body: mediaType === json ? body : undefined,
    }
    const validate = schemas.response(declared)
    return validate(values) ? [] : (validate.errors ?? []).map(toLogText)
  }
}

function withoutUndefined(sent: ResponseHeaders, undeclared: readonly string[]): ResponseHeaders {
  const headers: ResponseHeaders = {}
  for (const name in sent) {
    if (sent[name] !== undefined && !undeclared.includes(name)) headers[name] = sent[name]
  }
  return headers
}

function locateResponse(
  description: Description,
  operation: Operation | undefined,
  status: number,
): Located | undefined {
  const path =
    operation === undefined
      ? ['x-outside-operations']
      : ['paths', operation.path, operation.method, 'responses']
  return locate(description, rootOf(description), ...path, String(status))
}
