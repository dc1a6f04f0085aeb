import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Contract } from '../contract.ts'
import type { OutgoingHeaders } from '../exchange.ts'
import type { CrossOrigin } from '../request/cross-origin.ts'
import { toRequestId } from '../request/request-id.ts'
import { splitTarget } from '../request/target.ts'
import { failure } from './error-reply.ts'
import { json } from './reply.ts'

/**
 * Seconds after which those who are refused may come back, one of them at random: those who were
 * refused together are not to come back together.
 */
const retryAfter = [1, 2, 3, 4].map((seconds) => {
  const unit = seconds === 1 ? 'second' : 'seconds'
  const message = `The service is overloaded. Retry in ${seconds} ${unit}.`
  const content = JSON.stringify(failure(503, 'unavailable', message).body)
  return { seconds: `${seconds}`, content, length: `${Buffer.byteLength(content)}` }
})

export interface BusyAnswerOptions {
  readonly contract: Pick<Contract, 'rules' | 'find' | 'headersOf'>
  readonly crossOrigin: Pick<CrossOrigin, 'mark'>
  /** The limit that is shown to a caller of whom nothing is known. */
  readonly limitOf: (request: IncomingMessage) => OutgoingHeaders
  readonly isDraining: () => boolean
}

/**
 * Makes what refuses a request that there is no time for: with all that the contract asks of a 503,
 * and without a look at the key or the body. The body is dropped as it comes, so the connection is as
 * good as before.
 */
export function createBusyAnswer({ contract, ...options }: BusyAnswerOptions) {
  const { crossOrigin, limitOf, isDraining } = options

  function fieldsOf(request: IncomingMessage): string[] {
    const { method = '', url = '', headers } = request
    const fields = ['Content-Type', json, 'X-Request-Id', toRequestId(headers['x-request-id'])]
    if (isDraining()) fields.push('Connection', 'close')
    const { path } = splitTarget(url)
    add(fields, contract.headersOf(contract.find(method, path)))
    if (contract.rules(path)) add(fields, limitOf(request))
    return fields
  }

  return function refuse(request: IncomingMessage, response: ServerResponse): void {
    const choice = retryAfter[Math.floor(Math.random() * retryAfter.length)]
    if (choice === undefined) throw new Error('There is no time to come back.')
    crossOrigin.mark(request, response)
    const fields = fieldsOf(request)
    fields.push('Retry-After', choice.seconds, 'Content-Length', choice.length)
    // In one piece, which takes node:http half the time of a field at a time, and with content that
    // it can put behind the head for one write to the socket. What answers HEAD, node:http leaves out.
    response.writeHead(503, fields).end(choice.content)
  }
}

function add(fields: string[], headers: OutgoingHeaders): void {
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) fields.push(name, String(value))
  }
}
