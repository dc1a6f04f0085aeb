import type { AnyResponse } from '../contract/handler-response.ts'

/** Returns the response to a message that the service does not process (JSON-RPC 2.0, section 5.1). */
export function rejectMessage(status: number, message: string): AnyResponse {
  // A request that is not valid.
  const code = -32_600
  return { status, body: { jsonrpc: '2.0', error: { code, message }, id: null } }
}
