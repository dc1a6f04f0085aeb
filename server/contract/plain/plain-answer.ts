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
): boolean {
  const table = match.kind === 'operation' ? answers[match.operation.operationId] : outside
  const accepts = table?.[status]
  // A body of null is none to express-openapi-validator, whatever its schema says.
  const isPlain = mediaType === json && body !== null
  return accepts !== undefined && isPlain && accepts({ headers, body })
}
