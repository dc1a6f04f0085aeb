import type { ValidateFunction } from 'ajv/dist/2020.js'
import { createCompiler } from './ajv.ts'
import { type Description, locate, rootOf } from './description.ts'
import { toDetails } from './details.ts'
import type { AnyResponse } from './handler.ts'
import { json, type ResponseHeaders } from './headers.ts'
import { type HeaderExceptions, responseSchema } from './message-schemas.ts'
import type { Operation } from './operation.ts'

/** Returns where a response violates the description; `operation` is undefined for undeclared paths. */
export type ResponseValidator = (
  operation: Operation | undefined,
  response: AnyResponse,
  headers: ResponseHeaders,
) => readonly string[]

/** Returns a function that validates responses: status code, headers, media type and body. */
export function createResponseValidator(
  description: Description,
  exceptions: HeaderExceptions,
): ResponseValidator {
  const compile = createCompiler(description, 'response')
  const compiled = new Map<string, DeclaredResponse>()

  function declare(operation: Operation | undefined, status: number): DeclaredResponse {
    const path =
      operation === undefined
        ? ['x-outside-operations']
        : ['paths', operation.path, operation.method, 'responses']
    const located = locate(description, rootOf(description), ...path, String(status))
    if (located === undefined) return {}
    const validate = compile<object>(responseSchema(description, located, exceptions))
    return { content: located.node['content'], validate }
  }

  return function validateResponse(operation, { status, body, mediaType = json }, headers) {
    const key = `${status} ${operation?.operationId}`
    const { content, validate } = compiled.get(key) ?? declare(operation, status)
    compiled.set(key, { content, validate })
    if (validate === undefined) return [`status ${status} is not declared`]
    if (body !== undefined && content !== undefined && !Object.hasOwn(Object(content), mediaType)) {
      return [`media type ${mediaType} is not declared`]
    }
    const sent: ResponseHeaders = {}
    for (const name in headers) if (headers[name] !== undefined) sent[name] = headers[name]
    if (validate({ headers: sent, body: mediaType === json ? body : undefined })) return []
    return toDetails(validate.errors).map(({ path, message }) => `${path} ${message}`)
  }
}

/** The media types of a response and its validator; both absent if the status is not declared. */
interface DeclaredResponse {
  readonly content?: unknown
  readonly validate?: ValidateFunction | undefined
}
