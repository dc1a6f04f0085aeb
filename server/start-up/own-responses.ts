import type { Contract } from '../contract/contract.ts'
import { detailMessages, maxDetails, maxMessageLength } from '../contract/details.ts'
import {
  type ApiError,
  internalError,
  invalidRequest,
  malformedBody,
  maxQuoteLength,
  toErrorResponse,
} from '../contract/errors.ts'
import { type AnyResponse, respondError } from '../contract/handler-response.ts'
import {
  createSuccessorLink,
  deprecationHeaders,
  type limitHeaders,
  type ResponseHeaders,
  securityHeaders,
} from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import type { Description } from '../description/description.ts'
import { notAcceptable, successTypes } from '../http/accept-header.ts'
import { allCodingErrors, unsupportedCoding } from '../http/body/content-coding.ts'
import { unsupportedCharset, unsupportedMediaType } from '../http/body/content-type.ts'
import { defaultMaxBytes, fileTooLarge, tooLarge } from '../http/body/size-limit.ts'
import { toApiError } from '../http/error-handler.ts'
import { allFramingErrors, maxTargetLength } from '../http/framing.ts'
import { tooManyStreams } from '../http/open-streams.ts'
import { isRequestId } from '../http/request-context.ts'
import {
  allowedMethods,
  allowResponse,
  methodNotAllowed,
  notImplemented,
  pathNotFound,
} from '../http/routes.ts'
import { maxRetryAfter, overloaded } from '../ops/load-shedding.ts'
import { tooManyRequests } from '../security/authenticate.ts'
import {
  type AllTexts,
  acceptedCredentials,
  insufficientScope,
  unauthorized,
} from '../security/rejections.ts'
import {
  type Requirements,
  requirementsOf,
  requirementsOfUndeclared,
  schemeNames,
} from '../security/requirements.ts'
import { StoreUnavailable } from '../store/errors.ts'
import { rejectKey, replayHeaders } from '../store/idempotent-create.ts'

// What the service itself sends, whatever its handlers do: samples with the shortest and the longest of
// each text, and the smallest and the largest of each number. They are the same in every process, so that
// a digest of them shows whether they have been validated.

/** Seconds of the longest window and of the longest ban. */
const longestWait = 86_400

/** A limit as keys usually have it. */
const usualLimit = 1_000

/** The largest limit that a key can be issued with, or that an address can have. */
const largestLimit = 999_999_999_999_999

/** The latest reset of a limit: until 2038. The earliest is 0, because a clock that is wrong may be in the past. */
const latestReset = 2_147_483_647

/** Path parameters of one letter, and the longest that a request target has room for, also if they are encoded. */
const parameterTexts = ['1', '1'.repeat(maxTargetLength), '"'.repeat(maxTargetLength)]

/** What the samples depend on, beside operations. */
export interface OwnSetup {
  readonly description: Description
  /** How messages and challenges name the security schemes. */
  readonly texts: AllTexts
  /** Whether rate limits are counted. */
  readonly rateLimits: boolean
}

/** Returns the responses to a request that names an operation, but those of its handler. */
export function responsesTo(operation: Operation, setup: OwnSetup): AnyResponse[] {
  const { requestBody, unserved } = operation
  const requirements = requirementsOf(operation, setup.description)
  if (unserved !== undefined) {
    const errors = [
      ...securityErrors(requirements, setup),
      ...commonErrors(requirements, setup),
      notImplemented(unserved),
    ]
    return errors.map(toErrorResponse)
  }

  const types = successTypes(setup.description, operation)
  const errors = [
    ...invalidRequests(),
    ...securityErrors(requirements, setup),
    ...commonErrors(requirements, setup),
    ...(types.length === 0 ? [] : [notAcceptable(types)]),
    overloaded(1),
    overloaded(maxRetryAfter),
    tooManyStreams(),
    ...(requestBody === undefined ? [] : bodyErrors(requestBody)),
  ].map(toErrorResponse)
  return hasIdempotencyKey(operation) ? [...errors, ...keyResponses()] : errors
}

/** Returns the responses to requests under the base path that name no operation. */
export function responsesToUndeclared(
  operations: readonly Operation[],
  setup: OwnSetup,
): AnyResponse[] {
  const requirements = requirementsOfUndeclared(operations, setup.description)
  const paths = Map.groupBy(operations, ({ path }) => path)
  const allows = new Set(Array.from(paths.values(), allowedMethods))
  const methods = ['GET', 'M-SEARCH', 'UNSUBSCRIBE']
  const rejected = [...allows].flatMap((allow) =>
    methods.map((method) => methodNotAllowed(method, allow)),
  )
  const errors = [
    ...securityErrors(requirements, setup),
    ...commonErrors(requirements, setup),
    pathNotFound(),
    ...rejected,
  ]
  return [...Array.from(allows, allowResponse), ...errors.map(toErrorResponse)]
}

/** Returns the responses to requests that cannot be read as HTTP. */
export function framingResponses(): AnyResponse[] {
  return allFramingErrors().map(toErrorResponse)
}

/** Returns the headers that every response has, first the usual ones, then others. */
export function commonHeaders(): ResponseHeaders[] {
  return requestIds().map((requestId) => ({ ...securityHeaders, 'X-Request-Id': requestId }))
}

/** Returns the headers of rate limits that responses have, first the usual ones, then others. */
export function rateLimitHeaders(): ResponseHeaders[] {
  const rows = [usualLimit, 1, largestLimit].flatMap((limit) => [
    limitRow(limit, limit - 1, 0),
    limitRow(limit, 0, 1_700_000_000),
  ])
  return [...rows, limitRow(largestLimit, largestLimit - 1, latestReset)]
}

/** Returns the headers of a limit; `reset` is in seconds since 1970. */
function limitRow(limit: number, remaining: number, reset: number) {
  return {
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
  } satisfies Record<(typeof limitHeaders)[number], number>
}

/** Returns the headers that are added to a successful response of an operation, beside those of every response. */
export function headersOfSuccess(operation: Operation, status: number): ResponseHeaders[] {
  const isCreate = hasIdempotencyKey(operation) && status === 201
  return isCreate ? [replayHeaders('added'), replayHeaders('repeated')] : [{}]
}

/** Returns the headers of a deprecated operation, first the usual ones, then those of long path parameters. */
export function headersOfDeprecation(
  { operations, basePath }: Pick<Contract, 'operations' | 'basePath'>,
  operation: Operation,
): readonly ResponseHeaders[] {
  const headers = deprecationHeaders(operation)
  const linkToSuccessor = createSuccessorLink(operation, operations, basePath)
  if (linkToSuccessor === undefined) {
    return [headers]
  }
  const names = Object.keys(operation.parameters.path)
  return parameterTexts.map((text) => {
    const parameters = Object.fromEntries(names.map((name) => [name, text]))
    return { ...headers, Link: linkToSuccessor(parameters) }
  })
}

/** Returns the errors of requests whose credentials are missing, not valid or without the scopes. */
function securityErrors(requirements: Requirements, { texts }: OwnSetup): ApiError[] {
  const { alternatives, isOptional } = requirements
  const names = schemeNames(requirements)
  const invalid = names.length === 0 ? [] : [...names.map((name) => [name]), names]
  const missing = isOptional ? [] : [[]]
  const lacking = isOptional ? [] : alternatives.flat().filter(({ scopes }) => scopes.length > 0)
  return [
    ...[...missing, ...invalid].map((some) => unauthorized(requirements, texts, some)),
    ...lacking.map((scheme) => insufficientScope(scheme, texts)),
  ]
}

function commonErrors(requirements: Requirements, { texts, rateLimits }: OwnSetup): ApiError[] {
  return [
    internalError(undefined),
    toApiError(new StoreUnavailable('unavailable')),
    ...(rateLimits ? limitErrors(acceptedCredentials(requirements, texts)) : []),
  ]
}

function limitErrors(credential: string): ApiError[] {
  return [1, longestWait * 1_000].flatMap((retryAfter) => {
    const limited = { outcome: 'limited', limit: largestLimit, retryAfter } as const
    const banned = { ...limited, outcome: 'banned' } as const
    return [
      tooManyRequests({ ...limited, limit: 1 }, true, credential),
      tooManyRequests(limited, true, credential),
      tooManyRequests(limited, false, credential),
      tooManyRequests(banned, true, credential),
    ]
  })
}

function invalidRequests(): ApiError[] {
  const locations = ['/body', '/query/a', '/path/a', '/headers/content-type', '/cookies/a']
  const missingBody = { path: '/body', message: 'is missing' }
  const longest = {
    path: '/body/'.padEnd(maxQuoteLength, '…'),
    message: 'a'.repeat(maxMessageLength),
  }
  return [
    invalidRequest([missingBody]),
    invalidRequest(locations.map((path) => ({ ...missingBody, path }))),
    invalidRequest(detailMessages.map((message) => ({ ...missingBody, message }))),
    invalidRequest(Array(maxDetails).fill(longest), 1_000, false),
  ]
}

function bodyErrors(requestBody: NonNullable<Operation['requestBody']>) {
  const { mediaTypes, maxBytes = defaultMaxBytes } = requestBody
  return [
    tooLarge(maxBytes),
    fileTooLarge(maxBytes),
    unsupportedMediaType(requestBody),
    unsupportedCharset(mediaTypes),
    unsupportedCoding(),
    malformedBody(0, 'the body is not UTF-8'),
    malformedBody(maxBytes, `the name '${'a'.repeat(40)}…' occurs twice in one object`),
    ...allCodingErrors(),
  ]
}

function hasIdempotencyKey({ parameters }: Operation): boolean {
  return Object.keys(parameters.header).some((name) => name.toLowerCase() === 'idempotency-key')
}

function keyResponses(): AnyResponse[] {
  return [rejectKey('reused', respondError), rejectKey('in-progress', respondError)]
}

/** Returns IDs of requests that are kept, of each length and of each kind of character, and a new one. */
function requestIds(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const allCharacters = `-${letters}${letters.toUpperCase()}0123456789-`
  const ofEachLength = Array.from(allCharacters, (_, index) => allCharacters.slice(0, index + 1))
  const ofEachKind = ['-', 'a', 'A', '0'].map((character) => character.repeat(8))
  const newId = '01981f2c-5c1e-4cc0-a4d3-5f1f6c6f8d55'
  return [newId, ...ofEachKind, ...ofEachLength].filter(isRequestId)
}
