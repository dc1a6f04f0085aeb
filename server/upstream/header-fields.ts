import type { IncomingMessage } from 'node:http'
import type { Request, Response } from 'express'
import { printHeader } from '../contract/header-value.ts'
import type { ResponseHeaders } from '../contract/headers.ts'
import { readCookies } from '../contract/parameters.ts'

/** A header field; the name as it was sent. */
export type Field = [name: string, value: string]

/** The names of what carries credentials, in lower case for header fields. */
export interface CredentialNames {
  readonly headers: ReadonlySet<string>
  readonly cookies: ReadonlySet<string>
}

/** The header field that names the caller to the upstream. */
export const callerField = 'X-Caller-Id'

/** Fields of one connection (RFC 9110, sections 7.6.1 and 11.7), beside those that `Connection` names. */
const ofConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info'],
]

/** Fields that the service writes, and no client can forge. */
const ofService = [
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'],
  ...[callerField.toLowerCase(), 'x-request-id'],
]

/** Fields of a request that the service has handled. */
const handled = ['host', 'expect']

/** Returns the fields of a message that are for its recipient, not for the connection. */
function endToEnd({ rawHeaders, headersDistinct }: IncomingMessage): Field[] {
  const named = (headersDistinct['connection'] ?? []).join(',').toLowerCase().split(',')
  const dropped = new Set([...ofConnection, ...named.map((name) => name.trim())])
  return toFields(rawHeaders).filter(([name]) => !dropped.has(name.toLowerCase()))
}

/** Returns the fields in a flat list, as node:http gives them. */
export function toFields(flat: readonly string[]): Field[] {
  const fields: Field[] = []
  for (let index = 0; index < flat.length; index += 2) {
    fields.push([String(flat[index]), String(flat[index + 1])])
  }
  return fields
}

/** What the request to the upstream has beside the fields of the client. */
export interface ForwardedBy {
  /** The authority of the upstream, for `Host`. */
  readonly host: string
  /** Whether the client before the service is a proxy that says for whom it sends the request. */
  readonly isBehindProxy: boolean
  /** What the upstream must not get; undefined where it gets the credentials. */
  readonly removed: CredentialNames | undefined
  /** Bytes of content that was read; undefined for content that is streamed as it was sent. */
  readonly length: number | undefined
}

/** Returns the header fields of a request as it is forwarded, in a flat list. */
export function requestFields(
  request: Request,
  { requestId, caller, traceparent }: Express.Locals,
  { host, isBehindProxy, removed, length }: ForwardedBy,
): string[] {
  const dropped = new Set([...handled, ...ofService])
  if (traceparent !== undefined) {
    dropped.add('traceparent')
  }
  if (length !== undefined) {
    dropped.add('content-length')
  }
  // Servers that hand fields on as variables take `X_Caller_Id` for `X-Caller-Id`.
  const isKept = ([name]: Field) => !dropped.has(name.toLowerCase().replaceAll('_', '-'))
  const keptFields = endToEnd(request).filter(isKept)
  const fields = removed === undefined ? keptFields : withoutCredentials(keptFields, removed)

  const added: Record<string, string | number | undefined> = {
    Host: host,
    'X-Request-Id': requestId,
    [callerField]: caller?.id,
    'X-Forwarded-For': forwardedFor(request, isBehindProxy),
    'X-Forwarded-Proto': request.protocol,
    'X-Forwarded-Host': request.host,
    traceparent,
    ...framing(request, length),
  }
  return [...fields, ...toList(added)].flat()
}

function forwardedFor({ headers, socket }: Request, isBehindProxy: boolean): string | undefined {
  const before = isBehindProxy ? headers['x-forwarded-for'] : undefined
  return before === undefined ? socket.remoteAddress : `${before}, ${socket.remoteAddress}`
}

/** Returns the field that says where the content ends. */
function framing(
  { method, headers }: IncomingMessage,
  length: number | undefined,
): Readonly<Record<string, string | number>> {
  if (length === undefined) {
    return headers['content-length'] === undefined ? { 'Transfer-Encoding': 'chunked' } : {}
  }
  const isUsual = method === 'POST' || method === 'PUT' || method === 'PATCH'
  return length > 0 || isUsual || headers['content-length'] !== undefined
    ? { 'Content-Length': length }
    : {}
}

function toList(fields: Readonly<Record<string, string | number | undefined>>): Field[] {
  return Object.entries(fields).flatMap(([name, value]): Field[] =>
    value === undefined ? [] : [[name, String(value)]],
  )
}

function withoutCredentials(fields: readonly Field[], names: CredentialNames): Field[] {
  return fields.flatMap(([name, value]): Field[] => {
    const key = name.toLowerCase()
    if (names.headers.has(key)) {
      return []
    }
    if (key !== 'cookie' || names.cookies.size === 0) {
      return [[name, value]]
    }
    const cookies = readCookies(value).filter(([cookie]) => !names.cookies.has(cookie))
    const text = cookies.map((cookie) => cookie.join('=')).join('; ')
    return text === '' ? [] : [[name, text]]
  })
}

/** Returns the target of a request as it was sent, without credentials in its query. */
export function targetWithoutCredentials({ path, rawQuery }: Express.Locals): string {
  return rawQuery === '' ? path : `${path}?${rawQuery}`
}

/** Headers of the service that the upstream may send in their place. */
const ofUpstream: ReadonlySet<string> = new Set(['cache-control', 'x-content-type-options'])

/** Headers that are lists: those of the service and those of the upstream are sent. */
const lists: ReadonlySet<string> = new Set(['link', 'vary'])

/**
 * Returns the header fields of a response of the upstream as it is sent to the client, in a flat list: its
 * own, and those of the service. The service says nothing of caches: that is what the upstream does.
 */
export function responseFields(
  received: IncomingMessage,
  response: Response,
  hasCorsOrigins: boolean,
): string[] {
  const { 'Cache-Control': _, ...headers } = response.locals.headers
  const fieldsOfService = toOwnFields(headers)
  // What middleware before has set, such as CORS.
  for (const [name, value] of Object.entries(response.getHeaders())) {
    fieldsOfService.push([name, String(value)])
  }
  const ownNames = new Set(fieldsOfService.map(([name]) => name.toLowerCase()))

  const theirs = endToEnd(received).filter(([name]) => {
    const key = name.toLowerCase()
    const isCors = hasCorsOrigins && key.startsWith('access-control-')
    return !isCors && (!ownNames.has(key) || lists.has(key) || ofUpstream.has(key))
  })
  const theirNames = new Set(theirs.map(([name]) => name.toLowerCase()))
  const added = fieldsOfService.filter(([name]) => {
    const key = name.toLowerCase()
    return !ofUpstream.has(key) || !theirNames.has(key)
  })
  return [...theirs, ...added].flat()
}

function toOwnFields(headers: ResponseHeaders): Field[] {
  return Object.entries(headers).flatMap(([name, value]): Field[] =>
    value === undefined ? [] : [[name, printHeader(value, undefined)]],
  )
}
