import { toObject } from '../../../server/description/json.ts'
import { resolve } from '../resolved.ts'
import type { Context, Location, Rule } from '../rule.ts'
import { explainMissing } from './missing-additions.ts'

/** The headers that the service puts on every response. */
export const ofEveryResponse: readonly string[] = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
]

/** Requires the headers that the service puts on every response. */
export const responseHeaders = requireHeaders(
  ofEveryResponse,
  () => true,
  `Every response has these headers. ${explainMissing('headers')}`,
)

/** Requires a 401 to say how to authenticate. */
export const wwwAuthenticate = requireHeaders(
  ['WWW-Authenticate'],
  (status) => status === '401',
  'A 401 says how to authenticate; add the WWW-Authenticate header (RFC 9110, 15.5.2).',
)

/** Requires a 405 to say which methods there are. */
export const allow = requireHeaders(
  ['Allow'],
  (status) => status === '405',
  'A 405 says which methods there are; add the Allow header (RFC 9110, 15.5.6).',
)

/** Requires responses to requests that may be sent again to say when. */
export const retryAfter = requireHeaders(
  ['Retry-After'],
  (status) => ['409', '429', '503'].includes(status),
  'A response to a request that may be sent again says when; add the Retry-After header.',
)

/** Requires every response of a deprecated operation to announce its removal. */
export const deprecationHeaders: Rule = () => ({
  Operation(operation, context) {
    if (operation['deprecated'] !== true) {
      return
    }

    const place = context.location.child('responses')
    const responses = resolve(operation['responses'], place, context)
    if (responses === undefined) {
      return
    }

    const advice = explainMissing('deprecationHeaders')
    const message = `Every response of a deprecated operation has these headers. ${advice}`
    for (const [status, response] of Object.entries(responses.node)) {
      const at = responses.location.child(status)
      check(response, at, ['Deprecation', 'Sunset', 'Link'], message, context)
    }
  },
})

function requireHeaders(
  names: readonly string[],
  isConcerned: (status: string) => boolean,
  message: string,
): Rule {
  return () => ({
    Responses(responses, context) {
      for (const [status, response] of Object.entries(responses)) {
        if (!status.startsWith('x-') && isConcerned(status)) {
          check(response, context.location.child(status), names, message, context)
        }
      }
    },
  })
}

/** Reports a response that lacks some headers. */
function check(
  value: unknown,
  place: Location,
  names: readonly string[],
  message: string,
  context: Context,
): void {
  const response = resolve(value, place, context)
  // A reference that cannot be resolved has a rule of its own.
  if (response === undefined) {
    return
  }

  const { headers } = response.node
  const missing = names.filter((name) => !(name in toObject(headers)))
  if (missing.length === 0) {
    return
  }

  const { location } = response
  const at = headers === undefined ? location : location.child('headers')
  const list = names.length === 1 ? '' : ` Missing: ${missing.join(', ')}.`
  context.report({ message: `${message}${list}`, location: at.key() })
}
