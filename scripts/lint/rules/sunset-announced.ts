import type { JsonObject } from '../../../server/description/json.ts'
import type { Context, Rule } from '../rule.ts'

/** Requires a deprecated part of a request or response to say when it will be removed. */
export const sunsetAnnounced: Rule = () => ({ Parameter: check, Header: check, Schema: check })

function check(node: JsonObject, { location, report }: Context): void {
  if (node['deprecated'] !== true || node['x-sunset'] !== undefined) {
    return
  }
  const message = 'What is deprecated declares until when it works; add x-sunset.'
  report({ message, location: location.child('deprecated') })
}
