import { toObject } from '../../../server/description/json.ts'
import { type Resolved, resolve } from '../resolved.ts'
import type { Context, Location, Rule } from '../rule.ts'
import { ofEveryResponse } from './required-headers.ts'

/** The headers of the error responses of one status, beside those of every response. */
const headersByStatus: Readonly<Record<string, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  405: ['Allow'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

const ofDeprecated = ['Deprecation', 'Sunset']

/** Rejects required headers that error responses of the service do not have: they would become a 500. */
export const errorHeaders: Rule = () => ({
  Operation(operation, context) {
    const isDeprecated = operation['deprecated'] === true
    const sentHeaders = isDeprecated ? [...ofEveryResponse, ...ofDeprecated] : ofEveryResponse
    check(operation['responses'], context.location.child('responses'), sentHeaders, context)
  },
  Root(root, context) {
    const place = context.location.child('x-undeclared-operations')
    check(root['x-undeclared-operations'], place, ofEveryResponse, context)
  },
})

function check(
  responses: unknown,
  place: Location,
  sentHeaders: readonly string[],
  context: Context,
): void {
  for (const [status, value] of Object.entries(toObject(responses))) {
    if (!/^(?:[45]|default)/.test(status)) {
      continue
    }

    const response = resolve(value, place.child(status), context)
    if (response !== undefined) {
      checkHeaders(status, response, [...sentHeaders, ...(headersByStatus[status] ?? [])], context)
    }
  }
}

/** Reports the required headers of a response that are not among those that the service sends. */
function checkHeaders(
  status: string,
  response: Resolved,
  sentHeaders: readonly string[],
  context: Context,
): void {
  for (const [name, header] of Object.entries(toObject(response.node['headers']))) {
    const at = response.location.child(['headers', name])
    const isRequired = resolve(header, at, context)?.node['required'] === true
    if (isRequired && !sentHeaders.includes(name)) {
      const message = `The service does not put ${name} on every ${status}; it cannot be required there.`
      context.report({ message, location: at.key() })
    }
  }
}
