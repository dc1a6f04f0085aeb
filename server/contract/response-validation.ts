import { type AnyResponse, json } from './any-response.ts'
import { type Description, type Located, locate, rootOf } from './description.ts'
import type { MessageSchemas } from './message-schemas.ts'
import type { Operation } from './operation.ts'
import type { OutgoingHeaders } from './request-context.ts'
import { toWords } from './violation-details.ts'

export interface ResponseValidationOptions {
  readonly description: Description
  readonly schemas: MessageSchemas
  /** Required headers that may be missing. */
  readonly optionalHeaders: readonly string[]
  /** Headers that are sent without being declared. */
  readonly undeclaredHeaders: readonly string[]
}

/** Returns where a reply violates the description; `operation` is undefined for undeclared paths. */
export type FindViolations = (
  operation: Operation | undefined,
  reply: AnyResponse,
  headers: OutgoingHeaders,
) => readonly string[]

/** Validates responses: status code, headers, media type and body. */
export function createResponseValidation(options: ResponseValidationOptions): FindViolations {
  const { description, schemas, optionalHeaders, undeclaredHeaders } = options
  const declaredResponses = new Map<Operation | undefined, Map<number, Located | undefined>>()

  function declaredFor(operation: Operation | undefined, status: number): Located | undefined {
    const ofOperation = declaredResponses.get(operation) ?? new Map<number, Located | undefined>()
    if (ofOperation.has(status)) return ofOperation.get(status)
    const declared = locateResponse(description, operation, status)
    declaredResponses.set(operation, ofOperation.set(status, declared))
    return declared
  }

  return function findViolations(operation, reply, sent) {
    const { status, body, mediaType = json } = reply
    const declared = declaredFor(operation, status)
    if (declared === undefined) return [`status ${status} is not declared`]
    const headers = withoutUndefined(sent, undeclaredHeaders)
    const { content } = declared.node
    if (body !== undefined && content !== undefined && !Object.hasOwn(Object(content), mediaType)) {
      return [`media type ${mediaType} is not declared`]
    }
    const values = { headers, body: mediaType === json ? body : undefined }
    const validate = schemas.response(declared, optionalHeaders)
    return validate(values) ? [] : (validate.errors ?? []).map(toWords)
  }
}

function withoutUndefined(sent: OutgoingHeaders, undeclared: readonly string[]): OutgoingHeaders {
  const headers: OutgoingHeaders = {}
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
  const root = rootOf(description)
  if (operation === undefined) {
    return locate(description, root, 'x-outside-operations', String(status))
  }
  const { path, method } = operation
  return locate(description, root, 'paths', path, method, 'responses', String(status))
}
