import {
  type Description,
  isObject,
  type Located,
  locate,
  rootOf,
} from '../description/description.ts'
import { createSchemaChecks } from '../description/schema-checks.ts'
import type { OutgoingHeaders } from '../exchange.ts'
import type { RouteMatch } from '../request/route-table.ts'
import { json } from './reply.ts'

/** An answer as it would be sent. */
export interface Answer {
  readonly status: number
  readonly headers: OutgoingHeaders
  readonly mediaType: string
  readonly body: unknown
}

/** Where answers may differ from their description. */
export interface HeaderExceptions {
  /** Header fields that may be missing although they are required. */
  readonly waived: readonly string[]
  /** Header fields that may be there although they are not declared. */
  readonly added: readonly string[]
}

/**
 * Finds where an answer breaks the contract in what express-openapi-validator leaves alone:
 * status, media type, headers, and the bodies of 5xx and of answers outside operations.
 */
export function createAnswerChecks(description: Description, exceptions: HeaderExceptions) {
  const { faultsOf } = createSchemaChecks(description)
  const waived = new Set(exceptions.waived)
  const added = new Set(exceptions.added)

  function headerFaults(declared: Located, headers: OutgoingHeaders): string[] {
    const names = Object.keys(locate(description, declared, 'headers')?.node ?? {})
    const undeclared = Object.keys(headers)
      .filter((name) => headers[name] !== undefined && !names.includes(name) && !added.has(name))
      .map((name) => `header ${name} is not declared`)
    const wrong = names.flatMap((name) => {
      const header = locate(description, declared, 'headers', name)
      const value = headers[name]
      if (header === undefined) return []
      if (value !== undefined) {
        return faultsOf(locate(description, header, 'schema'), value, `header ${name}`)
      }
      return header.node['required'] === true && !waived.has(name)
        ? [`header ${name} is missing`]
        : []
    })
    return [...undeclared, ...wrong]
  }

  function contentFaults(declared: Located, answer: Answer, checkBody: boolean): string[] {
    const content = declared.node['content']
    if (!isObject(content)) return answer.body === undefined ? [] : ['has a body, declares none']
    if (answer.body === undefined) return ['has no body']
    const mediaType = locate(description, declared, 'content', answer.mediaType)
    if (mediaType === undefined) return [`media type ${answer.mediaType} is not declared`]
    if (!checkBody || answer.mediaType !== json) return []
    return faultsOf(locate(description, mediaType, 'schema'), answer.body, 'body')
  }

  /** The faults of an answer; none when it keeps the contract. */
  return function check(match: RouteMatch, answer: Answer): readonly string[] {
    const declared = declaredResponse(description, match, answer.status)
    if (declared === undefined) return [`status ${answer.status} is not declared`]
    const checkBody = match.kind !== 'operation' || answer.status >= 500
    return [
      ...headerFaults(declared, answer.headers),
      ...contentFaults(declared, answer, checkBody),
    ]
  }
}

function declaredResponse(description: Description, match: RouteMatch, status: number) {
  const root = rootOf(description)
  if (match.kind !== 'operation') {
    return locate(description, root, 'x-outside-operations', String(status))
  }
  const { path, method } = match.operation
  return locate(description, root, 'paths', path, method, 'responses', String(status))
}
