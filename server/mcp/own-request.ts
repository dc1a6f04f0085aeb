import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Request, Response } from 'express'
import { decodeQuery, queryPairs } from '../contract/parameters.ts'
import { encodePath } from '../contract/percent-encoding.ts'
import type { Description } from '../description/description.ts'
import { credentialNames } from '../description/security.ts'
import { request as sendRequest } from '../process/node-http.ts'
import type { ToolRequest } from './tool-request.ts'
import { isReadable } from './tools.ts'

/** Opens a connection to the service itself, for the client with an address. */
export type Connect = (remoteAddress: string | undefined) => Duplex

/** A response to an operation that a tool has called. */
export interface OperationResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Its content; undefined if it is of a media type that agents do not read. */
  readonly text: string | undefined
}

/** Fields by which proxies say who sends a message, and browsers from where. */
const fieldsOfSender = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto']
const fieldsOfBrowser = ['origin', 'sec-fetch-site']

export interface OwnRequestOptions {
  readonly connect: Connect
  readonly basePath: string
  readonly description: Pick<Description, 'securitySchemes'>
}

/**
 * Returns a function that sends the request of a tool to the service itself, in the name of the sender of a message: with
 * its credentials and its address. The request takes the way of all requests, from the parser of HTTP on.
 */
export function createOwnRequests({ connect, basePath, description }: OwnRequestOptions) {
  const { securitySchemes } = description
  const ofSchemes = [...credentialNames(securitySchemes, 'header')]
  const kept = ['host', 'authorization', ...fieldsOfSender, ...fieldsOfBrowser]
  const fields = [...kept, ...ofSchemes.map((name) => name.toLowerCase())]
  const queryNames = credentialNames(securitySchemes, 'query')
  const hasCookies = credentialNames(securitySchemes, 'cookie').size > 0

  return async function sendOwn(
    request: ToolRequest,
    message: Request,
    { locals }: Response,
    signal: AbortSignal,
  ): Promise<OperationResponse> {
    const sentCookies = hasCookies ? (message.headers.cookie ?? '') : ''
    const cookies = [sentCookies, ...request.cookies].filter((cookie) => cookie !== '')
    const traceparent = locals.traceparent ?? message.headers['traceparent']
    const headers = {
      ...request.headers,
      ...pickFields(message.headers, fields),
      'X-Request-Id': locals.requestId,
      ...(typeof traceparent === 'string' && { traceparent }),
      ...(cookies.length > 0 && { Cookie: cookies.join('; ') }),
      ...(request.body !== undefined && { 'Content-Length': Buffer.byteLength(request.body) }),
      Connection: 'close',
    }
    const path = addToQuery(
      encodePath(basePath) + request.target,
      credentialsIn(message.url, queryNames),
    )
    const connection = connect(message.socket.remoteAddress)
    const clientRequest = sendRequest({
      method: request.method,
      path,
      headers,
      signal,
      createConnection: () => connection,
    })
    // Before the response, `once` rejects; after that, the response has the error.
    clientRequest.on('error', () => undefined)
    clientRequest.end(request.body)
    const [response]: IncomingMessage[] = await once(clientRequest, 'response')
    return readResponse(response)
  }
}

async function readResponse(response: IncomingMessage | undefined): Promise<OperationResponse> {
  if (response?.statusCode === undefined) {
    throw new Error('The service has sent no response to itself.')
  }
  const { statusCode: status, headers } = response
  const { 'content-type': mediaType } = headers
  // A stream of items may never end.
  if (mediaType !== undefined && !isReadable(mediaType)) {
    // Only an error closes the other end of the connection at once.
    response.destroy(new Error(`Agents do not read ${mediaType}.`))
    return { status, headers, text: undefined }
  }
  const chunks = await response.toArray()
  return { status, headers, text: Buffer.concat(chunks).toString() }
}

function pickFields(
  headers: IncomingHttpHeaders,
  names: readonly string[],
): Readonly<Record<string, string | string[]>> {
  const picked = names.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(picked)
}

/** Returns the parameters of a query that hold credentials, as they were sent. */
function credentialsIn(url: string, names: ReadonlySet<string>): readonly string[] {
  const [, rawQuery = ''] = url.split('?')
  const pairs = queryPairs(rawQuery).filter(({ rawName }) => names.has(decodeQuery(rawName) ?? ''))
  return pairs.map(({ rawName, text }) => `${rawName}=${text}`)
}

function addToQuery(target: string, pairs: readonly string[]): string {
  if (pairs.length === 0) {
    return target
  }
  return `${target}${target.includes('?') ? '&' : '?'}${pairs.join('&')}`
}
