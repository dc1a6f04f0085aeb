import { type Agent, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { createRandom } from '../random.ts'
import {
  type Description,
  encodeLiterals,
  type Operation,
  type Parameter,
  toObject,
} from './description.ts'
import type { Request, Response } from './responses.ts'
import { validTexts } from './texts.ts'
import { Values } from './values.ts'

/** A request as it is written to the wire. */
export interface Sent extends Request {
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | undefined
}

type Place = Pick<Parameter, 'name' | 'in'>

/** A request in parts, each of which can be changed by itself. */
export interface Draft {
  readonly operation: Operation
  /** The values of parameters as texts: one, or several where it is repeated. */
  readonly texts: ReadonlyMap<Place, readonly string[]>
  readonly body?: string | undefined
}

/** Stands for the API key of the client, until a request is sent. */
const clientKey = '$API_KEY'

/** Returns a valid request to an operation; undefined where a part that is required cannot be made. */
export function draftOf(values: Values, operation: Operation, isFull: boolean): Draft | undefined {
  const { body, parameters } = operation
  // What is optional is often absent altogether: a service may have a fast path for such requests.
  const isWanted = (isRequired: boolean) => isRequired || (isFull && values.random() < 0.7)
  const texts = parameters
    .filter(({ isRequired, isOpaque }) => isWanted(isRequired) && (isRequired || !isOpaque))
    .map((parameter) => [parameter, validTexts(values, parameter)] as const)
  const made = body && isWanted(body.isRequired) ? values.pick(values.samplesOf(body.schema)) : null
  if (made === undefined || texts.some(([, found]) => found === undefined)) return undefined
  return {
    operation,
    texts: new Map(texts.map(([parameter, found]) => [parameter, found ?? []])),
    body: made === null ? undefined : JSON.stringify(made),
  }
}

/** Returns a valid request to each operation, with the parts alone that are required. */
export function validRequests(description: Description) {
  const values = new Values(description, createRandom(1))
  return description.operations.map((operation) => {
    const draft = draftOf(values, operation, false)
    if (draft === undefined) throw new Error(`No request to ${operation.operationId} can be made.`)
    return { operation, ...toSent(description, draft) }
  })
}

/** Returns a draft with other texts of one parameter, which need not be declared. */
export function withTexts(draft: Draft, place: Place, texts: readonly string[]): Draft {
  return { ...draft, texts: new Map([...draft.texts, [place, texts]]) }
}

/** Whether a body is larger than an operation accepts, whatever it says. */
export function isTooLarge({ operation, body = '' }: Draft): boolean {
  return Buffer.byteLength(body) > (operation.body?.maxBytes ?? Infinity)
}

/** Writes a draft as a request. */
export function toSent(description: Description, draft: Draft): Sent {
  const { operation, body } = draft
  const placed = (location: string) =>
    [...draft.texts].flatMap(([parameter, texts]) =>
      parameter.in === location ? texts.map((text) => [parameter.name, text] as const) : [],
    )
  const filled = placed('path').reduce(
    (template, [name, text]) => template.replace(`{${name}}`, () => encodeURIComponent(text)),
    description.basePath + operation.path,
  )
  const path = encodeLiterals(filled)
  const query = placed('query').map((pair) => pair.map(encodeURIComponent).join('='))
  const cookies = placed('cookie').map((pair) => pair.join('='))
  return {
    method: operation.method,
    path: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [
      ...credentialsOf(description, operation),
      ...placed('header'),
      ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
      ...(body === undefined ? [] : [['Content-Type', operation.body?.mediaType ?? ''] as const]),
    ],
    body,
  }
}

function credentialsOf({ root, resolve }: Description, { schemes }: Operation) {
  const declared = toObject(toObject(root['components'])['securitySchemes'])
  return schemes.map((scheme) => {
    const { type, scheme: kind, in: location, name } = resolve(declared[scheme])
    if (type === 'http' && `${kind}`.toLowerCase() === 'bearer') {
      return ['Authorization', `Bearer ${clientKey}`] as const
    }
    if (type === 'apiKey' && location === 'header') return [String(name), clientKey] as const
    throw new Error(`Requests cannot be authenticated with ${scheme}, which is ${type}.`)
  })
}

/** Sends a request unchanged, also what `fetch` would not send. */
export function send(origin: string, agent: Agent, sent: Sent, key: string): Promise<Response> {
  const { method, path, body = '' } = sent
  const { hostname, port, host } = new URL(origin)
  const fields = sent.headers.flatMap(([name, value]) => [name, value.replaceAll(clientKey, key)])
  // Without a length node:http would send an empty body in chunks.
  const needsLength = body !== '' || !['GET', 'HEAD', 'OPTIONS'].includes(method)
  const length = needsLength ? ['Content-Length', `${Buffer.byteLength(body)}`] : []
  const headers = ['Host', host, ...fields, ...length]
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent, hostname, port, method, path, headers })
    request.once('error', reject)
    request.once('response', async (response) => {
      const { statusCode: status = 0, headersDistinct } = response
      const all = Object.entries(headersDistinct).flatMap(([name, list = []]) =>
        list.map((value): [string, string] => [name, value]),
      )
      text(response).then((body) => resolve({ status, headers: new Headers(all), body }), reject)
    })
    request.end(body)
  })
}
