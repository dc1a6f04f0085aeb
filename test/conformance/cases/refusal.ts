import { type JsonObject, toObject } from '../../support/traffic/contract-index.ts'
import type { Bench } from '../support/case.ts'
import { type Fault, unless } from '../support/fault.ts'
import { listOf } from '../support/schema.ts'
import { type Answer, type Sent, send } from '../support/sent.ts'

/** What a fault of a request is answered with (RFC 9110, section 15.5). */
export const refusals = {
  credential: 401,
  path: 404,
  method: 405,
  accept: 406,
  size: 413,
  mediaType: 415,
  content: 400,
} as const

/** How a request is to be refused. */
export interface Refused {
  readonly status: number
  /** Where the fault is, led by `body`, `query`, `path`, `headers` or `cookies`. */
  readonly place?: string
  /** The operation that it was meant for. */
  readonly operation?: JsonObject
}

/** Sends a request that breaks the contract; finds what is wrong with how it is refused. */
export async function judgeRefused(
  sent: Sent,
  { check, target }: Bench,
  { status, place, operation }: Refused,
): Promise<Fault[]> {
  const before = target.state()
  const answer = await send(target, sent, target.apiKey)
  const isRefused = answer.status === status
  return [
    ...unless(isRefused, 'outcome', `it is answered ${answer.status} instead of ${status}`),
    ...check(sent, answer, operation),
    ...(isRefused && place !== undefined ? detailFaults(answer, place) : []),
    ...unless(target.state() === before, 'store', 'it is refused, and changes what is kept'),
  ]
}

/** A validation error says where the faults are; no other error does. */
function detailFaults({ body }: Answer, place: string): Fault[] {
  const { code, details } = toObject(parse(body))
  if (code !== 'invalid_request') return []
  const paths = listOf(details).map((detail) => String(toObject(detail)['path']))
  const tokens = place.split('*').map((text) => RegExp.escape(text))
  const wanted = new RegExp(`^${tokens.join('\\d+')}(?:/|$)`)
  const isNamed = paths.some((path) => wanted.test(path))
  return unless(
    isNamed,
    'details',
    `details name ${paths.join(' and ') || 'nothing'}, not ${place}`,
  )
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
