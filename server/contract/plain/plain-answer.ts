import { type AnyReply, json } from '../answer/reply.ts'
import type { OutgoingHeaders } from '../exchange.ts'
import type { RouteMatch } from '../request/route-table.ts'
import type { Validators } from './validators.ts'

/** Whether an answer keeps the contract for sure; where it may not, that is to be looked into. */
export function isPlainAnswer(
  { answers, outside }: Validators,
  match: RouteMatch,
  { status, body, mediaType = json }: AnyReply,
  headers: OutgoingHeaders,
  waived: readonly string[],
): boolean {
  const table = match.kind === 'operation' ? answers[match.operation.operationId] : outside
  const answer = table?.[status]
  // A body of null is none to express-openapi-validator, whatever its schema says.
  if (answer === undefined || mediaType !== json || body === null) return false
  for (const name of answer.owed) {
    if (headers[name] === undefined && !waived.includes(name)) return false
  }
  return answer.accepts({ headers, body })
}
