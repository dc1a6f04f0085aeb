import type { Request, RequestHandler } from 'express'
import { ApiError, adviceToWait } from '../contract/errors.ts'
import type { ResponseHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import type { Description } from '../description/description.ts'
import { credentialNames } from '../description/security.ts'
import type { Caller, CredentialSource } from './authenticator.ts'
import type { AnyAuthenticators } from './authenticators.ts'
import { isForged } from './cross-origin.ts'
import { type Decision, decide } from './decision.ts'
import { GuessLimiter, RequestGuesses } from './guess-limiter.ts'
import type { RateLimits, Verdict } from './rate-limits.ts'
import { readCredentials, withoutCookies, withoutParameters } from './request-credentials.ts'
import {
  type Requirements,
  requirementsOf,
  requirementsOfAgents,
  requirementsOfUndeclared,
} from './requirements.ts'
import type { UsageCounter } from './usage-counter.ts'

export interface AuthenticationOptions {
  readonly description: Pick<Description, 'securitySchemes'>
  readonly operations: readonly Operation[]
  readonly authenticators: AnyAuthenticators
  /** Counts the requests within the limits of their callers, and those to each operation. */
  readonly usage: Pick<UsageCounter, 'count' | 'countCall'>
  /** Without it, nothing is limited. */
  readonly limits: RateLimits | undefined
  /** The origins whose pages may call the API with the cookies of a visitor. */
  readonly corsOrigins: readonly string[]
}

/**
 * Returns the middleware that checks the credentials and the rate limits of each request, and adds the
 * headers of the limits to the response.
 */
export function authentication(options: AuthenticationOptions): RequestHandler {
  const { description, operations, authenticators, usage, limits, corsOrigins } = options
  const queryNames = credentialNames(description.securitySchemes, 'query')
  const ofUndeclared = requirementsOfUndeclared(operations, description)
  const ofAgents = requirementsOfAgents(ofUndeclared)
  const byOperation = new Map<Operation, Requirements>(
    operations.map((operation) => [operation, requirementsOf(operation, description)]),
  )
  const guessLimiter = limits && new GuessLimiter(limits)

  function requirementsFor({ operation, isAgentMessage = false }: Express.Locals): Requirements {
    const ofOthers = isAgentMessage ? ofAgents : ofUndeclared
    return (operation && byOperation.get(operation)) ?? ofOthers
  }

  /** Returns where the credentials of a request are: not in cookies that a page of another origin sends. */
  function sourceOf(request: Request, { guesses, locals }: RequestState): CredentialSource {
    const headers = request.headersDistinct
    const trustedHeaders = isForged(request, corsOrigins) ? withoutCookies(headers) : headers
    return readCredentials(trustedHeaders, locals.rawQuery, guesses)
  }

  /** Hides credentials from validation and the log, unless the operation declares their parameter itself. */
  function hideCredentials(locals: Express.Locals): void {
    locals.rawQuery = withoutCredentials(locals.rawQuery, queryNames, locals.operation)
    locals.credentialNames = queryNames
  }

  /** Decides who sends a request; if that cannot be decided now, it adds the headers of the limit, and rejects. */
  async function decideSender(source: CredentialSource, state: RequestState): Promise<Decision> {
    const { address, guesses, locals } = state
    try {
      return await decide(requirementsFor(locals), authenticators, source)
    } catch (error) {
      if (limits !== undefined) {
        // The description requires the headers of a limit in every response.
        addHeaders(locals.headers, await limitOfFailure(limits, address, guesses))
      }
      throw error
    }
  }

  /** Notes the caller of a request, and that it calls the operation. */
  function noteCaller({ caller }: Decision, locals: Express.Locals): void {
    if (caller === undefined) {
      return
    }

    locals.caller = caller
    const { operation } = locals
    const countCall = () => operation && usage.countCall(caller.id, operation.operationId)
    if (!caller.isUnchecked) {
      // Whatever the response will be: who calls an operation is affected by its changes.
      countCall()
      return
    }
    // Credentials that clients make up need no rows: the upstream accepts them first.
    locals.countAccepted = () => {
      usage.count(caller.id)
      countCall()
    }
  }

  /** Counts a request within the limits, and the use by its caller; throws an `ApiError` if it is over a limit. */
  async function count(decision: Decision, state: RequestState): Promise<void> {
    const { caller } = decision
    if (limits !== undefined) {
      await countWithinLimits(limits, decision, state)
    }
    if (caller !== undefined && !caller.isUnchecked) {
      usage.count(caller.id)
    }
  }

  return async function authenticate(request, { locals }, next) {
    // Read now: a connection that is closed has no address.
    const address = request.ip
    const guesses = new RequestGuesses(guessLimiter, address)
    const state = { address, guesses, locals }
    const source = sourceOf(request, state)
    hideCredentials(locals)

    try {
      const decision = await decideSender(source, state)
      noteCaller(decision, locals)
      if (locals.isAgentMessage === true && decision.rejection === undefined) {
        // Called later, unless the message calls an operation: then that counts the request.
        locals.countMessage = () => count(decision, state)
      } else {
        await count(decision, state)
      }
      if (decision.rejection !== undefined) {
        throw decision.rejection
      }
    } finally {
      guesses.end()
    }

    next()
  }
}

/** A request while its sender is decided. */
interface RequestState {
  readonly address: string | undefined
  readonly guesses: RequestGuesses
  readonly locals: Express.Locals
}

/** Returns a query without credentials, except those that the operation declares as parameters of its own. */
function withoutCredentials(
  rawQuery: string,
  names: ReadonlySet<string>,
  operation: Operation | undefined,
): string {
  if (names.size === 0 || rawQuery === '') {
    return rawQuery
  }
  const declared = Object.keys(operation?.parameters.query ?? {})
  return withoutParameters(rawQuery, names.difference(new Set(declared)))
}

/** Returns the limit of the address of a request whose caller could not be decided; a wrong guess counts. */
function limitOfFailure(
  limits: RateLimits,
  address: string | undefined,
  { hasFailed }: Pick<RequestGuesses, 'hasFailed'>,
): Promise<Verdict> {
  return hasFailed ? limits.countAddress(address) : limits.peekAddress(address)
}

/** Counts a request, by its caller or else by its address; throws an `ApiError` if it is over the limit. */
async function countWithinLimits(
  limits: RateLimits,
  { caller, credential }: Decision,
  { address, guesses, locals }: RequestState,
): Promise<void> {
  const verdict = await countByCallerOrAddress(limits, caller, address, guesses)
  addHeaders(locals.headers, verdict)
  if (verdict.outcome === 'allowed') {
    return
  }

  locals.rejectedBy = caller === undefined ? 'address' : verdict.outcome
  throw tooManyRequests(verdict, caller !== undefined, credential)
}

async function countByCallerOrAddress(
  limits: RateLimits,
  caller: Caller | undefined,
  address: string | undefined,
  { hasFailed, reached }: Pick<RequestGuesses, 'hasFailed' | 'reached'>,
): Promise<Verdict> {
  if (caller === undefined) {
    // The credentials may be right: to begin a new window with this request would reject them as wrong.
    return reached ?? limits.countAddress(address)
  }

  // A caller who is known by other credentials does not guess passwords without a limit.
  if (hasFailed) {
    await limits.countAddress(address)
  }
  return limits.countCaller(caller)
}

function addHeaders(headers: ResponseHeaders, { limit, remaining, left }: Verdict): void {
  headers['X-RateLimit-Limit'] = limit
  headers['X-RateLimit-Remaining'] = remaining
  headers['X-RateLimit-Reset'] = Math.ceil((Date.now() + left) / 1000)
}

/**
 * Returns the error of a request over the limit of its caller, or of its address where the caller is unknown.
 * `credential` is the noun for the credentials that the caller has, or that would be accepted.
 */
export function tooManyRequests(
  { outcome, limit, retryAfter }: Pick<Verdict, 'outcome' | 'limit' | 'retryAfter'>,
  hasCaller: boolean,
  credential: string,
): ApiError {
  const isLimited = !hasCaller || outcome === 'limited'
  const withoutAny = credential === '' ? '' : ` without a valid ${credential}`
  const period = hasCaller ? '' : ` per minute${withoutAny}`
  const reason = isLimited
    ? `The limit of ${limit} requests${period} is reached.`
    : `The ${credential} is banned after repeated requests over its limit.`
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000))
  const code = isLimited ? 'rate_limited' : 'api_key_banned'
  const headers = { 'Retry-After': seconds }
  return new ApiError({ status: 429, code }, `${reason} ${adviceToWait(seconds)}`, { headers })
}
