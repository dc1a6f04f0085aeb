import { toObject } from '../../scripts/pipeline/description.ts'
import { resolve } from './resolved.ts'
import type { Rule } from './rule.ts'

/** The headers of every error response of the service, and those of one status. */
const always = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
]
const byStatus: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** Rejects required headers that error responses of the service do not have: they would become a 500. */
export const errorHeaders: Rule = () => ({
  Responses(responses, context) {
    for (const [status, value] of Object.entries(responses)) {
      if (status.startsWith('2')) continue
      const response = resolve(value, context.location.child(status), context)
      for (const [name, header] of Object.entries(toObject(response?.node['headers']))) {
        const at = response?.location.child(['headers', name])
        const resolved = at && resolve(header, at, context)
        const isSent = always.includes(name) || byStatus[status]?.includes(name)
        if (at === undefined || isSent || resolved?.node['required'] !== true) continue
        const message = `The service does not put ${name} on every ${status}; it cannot be required there.`
        context.report({ message, location: at.key() })
      }
    }
  },
})
