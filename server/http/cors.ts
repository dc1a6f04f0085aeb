import type { RequestHandler } from 'express'
import type { Contract } from '../contract/contract.ts'
import { preferHeaders } from '../contract/headers.ts'
import { kindOf } from '../description/content-kind.ts'
import type { Description } from '../description/description.ts'
import { credentialNames } from '../description/security.ts'
import type { Send } from './send.ts'

/** Seconds for which a browser may cache the response to a preflight. */
const preflightLifetime = 600

export interface CorsOptions {
  /** The origins (RFC 6454) that are allowed. */
  readonly origins: readonly string[]
  readonly contract: Contract
  readonly isMocked: boolean
  readonly send: Send
}

/**
 * Returns the middleware for the CORS protocol (Fetch standard): `allowOrigin` adds the headers that let
 * browsers of an allowed origin read the response, `preflight` responds to its preflights. Unlike the
 * package `cors`, it leaves an `OPTIONS` that is no preflight, or comes from another origin, to the API,
 * and allows the methods of the path alone.
 */
export function createCors({ origins, contract, isMocked, send }: CorsOptions) {
  const { description, operations } = contract
  const declared = declaredHeaders(description)
  // Programs compare `Date` with times such as that of a limit's reset.
  const exposed = ['Date', ...declared].join(', ')
  const parameters = Object.values(operations).flatMap((each) =>
    Object.keys(each.parameters.header),
  )
  const credentials = credentialNames(description.securitySchemes, 'header')
  const usual = ['Authorization', 'Content-Type', 'X-Request-Id']
  const ofEvents = hasEvents(description) ? ['Last-Event-ID'] : []
  const ofMock = isMocked ? [preferHeaders.request] : []
  const names = [...usual, ...credentials, ...parameters, ...ofEvents, ...ofMock]
  const allowed = uniqueNames(names)
  const allowOrigin: RequestHandler = ({ headers: { origin = '' } }, response, next) => {
    if (origins.length > 0) {
      response.setHeader('Vary', 'Origin')
    }
    if (origins.includes(origin)) {
      response.setHeader('Access-Control-Allow-Origin', origin)
      response.setHeader('Access-Control-Expose-Headers', exposed)
    }
    next()
  }
  const preflight: RequestHandler = (request, response, next) => {
    const { origin = '', 'access-control-request-method': requested } = request.headers
    const isPreflight = request.method === 'OPTIONS' && requested !== undefined
    if (!isPreflight || !origins.includes(origin)) {
      return next()
    }
    const { allow, allowedHeaders = [] } = response.locals
    const headers = {
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': [...allowed, ...allowedHeaders].join(', '),
      'Access-Control-Max-Age': preflightLifetime,
    }
    // The description does not apply to it.
    response.locals.isApiRequest = false
    send(response, { status: 204, headers })
  }
  return { allowOrigin, preflight }
}

/** Returns names of header fields without those that differ from an earlier one by their case alone. */
function uniqueNames(names: readonly string[]): readonly string[] {
  const byName = new Map<string, string>()
  for (const name of names) {
    byName.getOrInsert(name.toLowerCase(), name)
  }
  return [...byName.values()]
}

/** Returns whether some responses are streams of events, whose clients reconnect. */
function hasEvents({ operations }: Description): boolean {
  const responses = operations.flatMap((operation) => operation.responses)
  const content = responses.flatMap((response) => response.content)
  return content.some(({ name }) => kindOf(name) === 'events')
}

/** Returns the names of all header fields that responses may have. */
function declaredHeaders({ operations, undeclared }: Description): readonly string[] {
  const responses = [...undeclared, ...operations.flatMap((operation) => operation.responses)]
  const names = responses.flatMap(({ headers }) => headers.map(({ name }) => name))
  return [...uniqueNames(names)].sort()
}
