import { isDeepStrictEqual } from 'node:util'
import type { Request } from 'express'
import { Refusal } from '../../../server/contract/answer/refusal.ts'
import { createAuthority } from '../../../server/contract/authority.ts'
import type { Operation } from '../../../server/contract/description/operation.ts'
import type { Exchange } from '../../../server/contract/exchange.ts'
import {
  createRequestChecks,
  type RequestChecks,
} from '../../../server/contract/request/request-checks.ts'
import { createRouteTable } from '../../../server/contract/request/route-table.ts'
import type { Attempt } from './attempt.ts'
import { rememberAnswers } from './remembered-authority.ts'
import type { Served } from './served.ts'

/** What comes of a request: values for the handler, or a refusal. */
export type Outcome =
  | { readonly kind: 'values'; readonly values: unknown }
  | { readonly kind: 'refused'; readonly refusal: unknown }
  | { readonly kind: 'failed'; readonly message: string }

/** What came of a request on both ways. */
export interface Compared {
  /** By express-openapi-validator alone. */
  readonly alone: Outcome
  /** With the compiled validators before it. */
  readonly together: Outcome
  readonly areEqual: boolean
  /** Whether the validators took it themselves. */
  readonly isFast: boolean
}

/** Compares both ways for an attempt; undefined where its path leads to another operation. */
export type Compare = (operation: Operation, attempt: Attempt) => Promise<Compared | undefined>

/** Drives a request through both ways of checking it. */
export function createWays({ description, operations, basePath, validators }: Served): Compare {
  const authority = createAuthority({
    ...{ description, operations, basePath, isLinted: false, handlers: {}, authenticates: {} },
    waivedHeaders: [],
  })
  const remembered = rememberAnswers(authority)
  const alone = createRequestChecks(remembered.asked)
  const together = createRequestChecks(remembered.told, validators)
  const find = createRouteTable(Object.values(operations))

  return async function compare(operation, attempt) {
    const { path } = attempt
    const match = find(operation.method.toUpperCase(), path.slice(basePath.length))
    if (match.kind !== 'operation' || match.operation !== operation) return undefined
    const request = toRequest(attempt)
    const exchange = toExchange(attempt, match)
    const { mediaType, body } = attempt
    const read = { operation, pathValues: match.pathValues, mediaType }
    const ask = (checks: RequestChecks) =>
      outcomeOf(() => checks(request, exchange, { ...read, body: structuredClone(body) }))
    const one = await ask(alone)
    const other = await ask(together)
    const areEqual = isDeepStrictEqual(one, other)
    return { alone: one, together: other, areEqual, isFast: !remembered.wasTold() }
  }
}

async function outcomeOf(check: () => unknown): Promise<Outcome> {
  try {
    return { kind: 'values', values: await check() }
  } catch (error) {
    if (!(error instanceof Refusal)) return { kind: 'failed', message: String(error) }
    const { status, code, details, headers, message } = error
    return { kind: 'refused', refusal: { status, code, details, headers, message } }
  }
}

function toRequest({ headers }: Attempt): Request {
  const headersDistinct: Record<string, string[]> = {}
  for (const [name, value] of headers) {
    headersDistinct[name] = [...(headersDistinct[name] ?? []), value]
  }
  const [authorization] = headersDistinct['authorization'] ?? []
  const request: Request = Object.create(null)
  return Object.assign(request, { headersDistinct, headers: { authorization } })
}

function toExchange({ path, query, isLetIn }: Attempt, match: Exchange['match']): Exchange {
  return {
    ...{ requestId: 'differential', path, rawQuery: query.join('&'), underContract: true, match },
    ...{ headers: {}, callerId: isLetIn ? 'caller' : undefined, faults: [], errorCode: undefined },
  }
}
