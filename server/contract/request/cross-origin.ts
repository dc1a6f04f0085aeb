import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyReply } from '../answer/reply.ts'
import { type Description, locate, rootOf } from '../description/description.ts'
import type { Operation } from '../description/operation.ts'
import type { Request, Response } from '../exchange.ts'
import { pageMethods } from '../pages.ts'
import type { StandIn } from '../stand-in.ts'

/** Seconds for which a browser may remember a preflight. */
const preflightLifetime = 600

/** Lets browsers of some origins in (Fetch standard, CORS protocol). */
export interface CrossOrigin {
  /** Marks the answer to an allowed origin; tells whether it is one. */
  readonly mark: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Does that, and answers a preflight. */
  readonly open: (request: Request, response: Response) => AnyReply | undefined
}

/**
 * Makes the step that marks answers to allowed origins, and answers their preflights itself: those
 * alone come without a credential. Everything else is left to the steps that follow.
 */
export function createCrossOrigin(
  origins: readonly string[],
  description: Description,
  operations: Readonly<Record<string, Operation>>,
  standIn?: StandIn,
): CrossOrigin {
  const declared = declaredHeaders(description, Object.values(operations))
  // Without our clock, times such as that of a limit's reset say little to one that goes wrong.
  const exposed = ['Date', ...declared, ...(standIn?.ownHeaders ?? [])].join(', ')
  const parameters = Object.values(operations).flatMap(({ parameters }) =>
    Object.keys(parameters.header),
  )
  const usual = ['Authorization', 'Content-Type', 'X-Request-Id']
  const ofStandIn = standIn?.readsHeaders ?? []
  const allowed = [...new Set([...usual, ...parameters, ...ofStandIn])].join(', ')

  function mark(request: IncomingMessage, response: ServerResponse): boolean {
    if (origins.length > 0) response.setHeader('Vary', 'Origin')
    const { origin } = request.headers
    if (origin === undefined || !origins.includes(origin)) return false
    response.setHeader('Access-Control-Allow-Origin', origin)
    response.setHeader('Access-Control-Expose-Headers', exposed)
    return true
  }

  function open(request: Request, response: Response): AnyReply | undefined {
    if (!mark(request, response)) return undefined
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    if (request.method !== 'OPTIONS' || !isPreflight) return undefined
    const { match } = response.locals.exchange
    const methods = 'allow' in match ? match.allow : pageMethods
    response.setHeader('Access-Control-Allow-Methods', methods)
    response.setHeader('Access-Control-Allow-Headers', allowed)
    response.setHeader('Access-Control-Max-Age', preflightLifetime)
    return { status: 204, isOutsideContract: true }
  }

  return { mark, open }
}

/** The names of all header fields that answers may carry, so that browsers show them to programs. */
function declaredHeaders(description: Description, operations: readonly Operation[]): string[] {
  const root = rootOf(description)
  const holders = [
    locate(description, root, 'x-outside-operations'),
    ...operations.map(({ path, method }) =>
      locate(description, root, 'paths', path, method, 'responses'),
    ),
  ]
  const names = holders.flatMap((responses) =>
    Object.keys(responses?.node ?? {}).flatMap((status) =>
      Object.keys((responses && locate(description, responses, status, 'headers')?.node) ?? {}),
    ),
  )
  return [...new Set(names)].sort()
}
