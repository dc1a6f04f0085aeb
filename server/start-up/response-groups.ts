import { type Contract, describedOperation, findResponse } from '../contract/contract.ts'
import type { ErrorContext } from '../contract/error-responses.ts'
import { type AnyResponse, respondError } from '../contract/handler-response.ts'
import type { ResponseHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import type { Description, Response } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { readShape, type Shape } from '../description/error-shape.ts'
import { keysOfMethod } from '../description/operations.ts'
import {
  commonHeaders,
  framingResponses,
  headersOfDeprecation,
  headersOfSuccess,
  type OwnSetup,
  rateLimitHeaders,
  responsesTo,
  responsesToUndeclared,
} from './own-responses.ts'

/** Responses that are declared at one place, and what the service itself sends as one of them. */
export interface ResponseGroup {
  /** The requests that have these responses, such as `addBook`. */
  readonly requests: string
  /** Keys from the root of the description to what is declared. */
  readonly keys: readonly string[]
  /** Returns the response that is declared for a status. */
  readonly findDeclared: (status: number) => DeclaredResponse | undefined
  readonly responses: readonly AnyResponse[]
  /** The headers of each of these responses, first the usual ones, then others. */
  readonly headers: readonly ResponseHeaders[]
  /** Whether a handler adds a body and other headers. */
  readonly isOfHandler: boolean
  readonly context: Pick<ErrorContext, 'operation' | 'isApiRequest'>
}

/** A response of a description. */
export interface DeclaredResponse {
  /** Keys to it from the root of the description. */
  readonly keys: readonly string[]
  readonly response: Response
}

/** Returns the groups of all responses that the service itself sends, or adds headers to. */
export function groupsOf(contract: Contract, setup: OwnSetup): readonly ResponseGroup[] {
  const { description, operations } = contract
  const usual = commonHeaders()
  const headers = setup.rateLimits ? withRateLimits(usual) : usual
  const allOperations = Object.values(operations)
  const ofOperations = allOperations.flatMap((operation) => {
    return groupsOfOperation(contract, operation, headers, setup)
  })

  const keys = ['x-undeclared-operations']
  const ofUndeclared: ResponseGroup = {
    requests: 'requests that match no operation',
    keys,
    findDeclared: findIn(description.undeclared, keys),
    responses: responsesToUndeclared(allOperations, setup),
    headers,
    isOfHandler: false,
    context: { isApiRequest: true },
  }
  return [...ofOperations, ofUndeclared, ...groupsOfMalformed(description, usual)]
}

/**
 * Returns the group of responses that the service sends in place of the handler, and two groups of responses of the
 * handler, to which the service adds headers: those by status, and declared errors.
 */
function groupsOfOperation(
  contract: Contract,
  operation: Operation,
  headers: readonly ResponseHeaders[],
  setup: OwnSetup,
): readonly ResponseGroup[] {
  const { description } = contract
  const { operationId, path, method } = operation
  const { responses } = describedOperation(description, operation)
  const keys = ['paths', path, ...keysOfMethod(method), 'responses']
  const shared = {
    requests: operationId,
    keys,
    findDeclared: findIn(responses, keys),
    headers: withDeprecation(headers, headersOfDeprecation(contract, operation)),
    context: { operation, isApiRequest: true },
  }

  const responsesOfService = responsesTo(operation, setup)
  const ofService = { ...shared, responses: responsesOfService, isOfHandler: false }
  if (operation.unserved !== undefined) {
    return [ofService]
  }

  const statusesOfService = new Set(responsesOfService.map(({ status }) => status))
  const statusesOfHandler = responses
    .map((response) => Number(response.status.replace(/xx$/i, '00')))
    .filter((status) => Number.isInteger(status) && !statusesOfService.has(status))
  const responsesOfHandler = statusesOfHandler.flatMap((status) => {
    return headersOfSuccess(operation, status).map((added) => ({ status, headers: added }))
  })
  const errorsOfHandler = responses
    .filter(({ isSuccess }) => !isSuccess)
    .map((response) => toHandlerError(response, description.documents))
    .filter(({ status }) => !statusesOfService.has(status))
  return [
    ofService,
    { ...shared, responses: responsesOfHandler, isOfHandler: true },
    { ...shared, responses: errorsOfHandler, isOfHandler: true },
  ]
}

/** Returns the group of responses to malformed requests; none if the description does not promise any. */
function groupsOfMalformed(
  { malformed }: Description,
  headers: readonly ResponseHeaders[],
): readonly ResponseGroup[] {
  if (malformed === undefined) {
    return []
  }
  const keys = ['x-framing-response']
  const group: ResponseGroup = {
    requests: 'requests that are not valid HTTP',
    keys,
    findDeclared: () => ({ keys, response: malformed }),
    responses: framingResponses(),
    headers,
    isOfHandler: false,
    context: { isApiRequest: false },
  }
  return [group]
}

/** Returns a function that finds the response for a status among those that are declared below some keys. */
function findIn(
  responses: readonly Response[],
  keys: readonly string[],
): ResponseGroup['findDeclared'] {
  return (status) => {
    const response = findResponse(responses, status)
    return response && { response, keys: [...keys, response.status] }
  }
}

/** Returns an error that a handler may respond with where a response is declared. */
function toHandlerError({ status, content }: Response, documents: Documents): AnyResponse {
  const codes = content.map(({ schema }) => schema && codeIn(readShape(schema, documents, 0)))
  const code = codes.find((each) => each !== undefined) ?? 'other'
  const exactStatus = status.replace(/xx$/i, '00').replace('default', '500')
  return respondError(Number(exactStatus), code, 'Message.')
}

/** Returns a code that the schema of an error lists, in the error or in its member `error`. */
function codeIn({ properties }: Shape): string | undefined {
  const { properties: nested } = properties.get('error') ?? {}
  const [code] = (properties.get('code') ?? nested?.get('code'))?.values ?? []
  return typeof code === 'string' ? code : undefined
}

/** Returns headers with those of rate limits: each of one list with the usual ones of the other. */
function withRateLimits(headers: readonly ResponseHeaders[]): ResponseHeaders[] {
  const limits = rateLimitHeaders()
  return [
    ...headers.map((each) => ({ ...each, ...limits[0] })),
    ...limits.map((each) => ({ ...headers[0], ...each })),
  ]
}

/** Returns headers with the usual ones of a deprecated operation, and the usual ones with all others of it. */
function withDeprecation(
  headers: readonly ResponseHeaders[],
  [usual, ...others]: readonly ResponseHeaders[],
): ResponseHeaders[] {
  return [
    ...headers.map((each) => ({ ...each, ...usual })),
    ...others.map((each) => ({ ...headers[0], ...each })),
  ]
}
