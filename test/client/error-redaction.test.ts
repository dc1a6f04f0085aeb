import { format, inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createAnimalStore } from '../../client/index.ts'
import { apiKey, baseUrl, failureOf, json, watch } from './support/client.ts'

const whole = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true } as const
const secrets = [apiKey, JSON.stringify(apiKey).slice(1, -1), inspect(apiKey).slice(1, -1)]

/** Fails if the API key is in any form in which a program may print or pass on what it caught. */
function expectNoKeyIn(thrown: unknown): void {
  const { stack, message, cause } = thrown instanceof Error ? thrown : new Error('no error')
  const forms = [
    format(thrown),
    inspect(thrown, whole),
    inspect(structuredClone(thrown), whole),
    JSON.stringify(thrown),
    JSON.stringify(thrown, Object.getOwnPropertyNames(thrown)),
    `${thrown} ${stack} ${message} ${cause}`,
  ]
  for (const form of forms) for (const secret of secrets) expect(form).not.toContain(secret)
  if (cause instanceof Error) expectNoKeyIn(cause)
}

// These print the key through what they inherit.
class Written extends Error {
  toJSON() {
    return { apiKey }
  }
}
class Inspected extends Error {
  [inspect.custom]() {
    return apiKey
  }
}
const failWith = (properties: object) => Object.assign(new Error('failed'), properties)
const request = (value: unknown) => failWith({ request: value })
const hidden = (descriptor: PropertyDescriptor) =>
  Object.defineProperty(new Error('failed'), 'key', descriptor)
const deep = (depth: number): Error =>
  new Error('failed', { cause: depth === 0 ? new Error(apiKey) : deep(depth - 1) })
const circular = request({ apiKey })
circular.cause = circular
const throwing = () => {
  throw new Error(apiKey)
}

test.each<[string, (request: Request) => unknown]>([
  ['its message', () => new Error(`failed with ${apiKey}`)],
  ['a hidden property', () => hidden({ value: apiKey })],
  ['the name of a property', () => failWith({ [apiKey]: 1 })],
  ['a symbol for a name', () => failWith({ [Symbol('request')]: apiKey })],
  ['an object', () => request({ deeply: [{ inside: `Bearer ${apiKey}` }] })],
  ['the request', (sent) => request(sent)],
  ['a function', () => request(Object.assign(() => apiKey, { apiKey }))],
  ['a getter that throws', () => hidden({ get: throwing, enumerable: true })],
  ['what it writes as JSON', () => new Written('failed')],
  ['what it shows when it is inspected', () => new Inspected('failed')],
  ['its cause', () => new TypeError('fetch failed', { cause: new Error(apiKey) })],
  ['a long chain of causes', () => deep(20)],
  ['itself as its cause', () => circular],
  ['a text', () => `failed with ${apiKey}`],
  ['a bare response', () => json({ apiKey })],
  ['a proxy that throws', () => new Proxy({}, { getPrototypeOf: throwing })],
])('what fetch throws with the API key in %s is redacted', async (_, thrown) => {
  const options = { retry: { attempts: 2, backoff: 0 } }
  const { store, retries } = watch((request) => Promise.reject(thrown(request)), options)
  for (const call of [() => store.getPet(1), () => store.raw.GET('/pets', {})]) {
    const error = await failureOf(call())
    expect(error).toMatchObject({ code: 'network_error' })
    expectNoKeyIn(error)
    expectNoKeyIn(retries.at(-1)?.cause)
  }
  expect(retries).toHaveLength(2)
})

test.each([
  ...[null, 'failed', { failed: true }],
  new TypeError('fetch failed', { cause: request({ code: 'ECONNRESET' }) }),
])('what fetch throws without the API key, such as %s, is the cause', async (thrown) => {
  const { store } = watch(() => Promise.reject(thrown))
  const error = await failureOf(store.getPet(1))
  expect(error).toMatchObject({ code: 'network_error' })
  expect(error).toHaveProperty('cause', thrown)
})

const body = { code: 'not_found', message: 'There is none.', status: 404 }
const rejection = (more: object, headers = {}) =>
  json({ ...body, ...more }, { status: 404, headers })
const page = (sent: string, init: ResponseInit = {}) => new Response(sent, { status: 502, ...init })
const echo = ({ headers }: Request) => `You sent ${headers.get('authorization')}`

// A proxy may repeat what it was sent.
test.each<[string, (sent: string) => Response]>([
  ['the message', (sent) => rejection({ message: sent })],
  ['the code', (sent) => rejection({ code: sent })],
  ['details', (sent) => rejection({ details: [{ path: '/a', message: sent }] })],
  ['X-Request-Id', (sent) => rejection({}, { 'X-Request-Id': sent })],
  ['Retry-After', (sent) => rejection({}, { 'Retry-After': sent })],
  ['an HTML page', (sent) => page(sent)],
  ['the media type', (sent) => page('', { headers: { 'Content-Type': sent } })],
  ['a success', (sent) => new Response(sent, { headers: { 'X-Request-Id': sent } })],
  [
    'a Link',
    (sent) => json([], { headers: { Link: `<https://other.example?cursor=${sent}>; rel=next` } }),
  ],
])('a response with the API key in %s is redacted', async (_, respond) => {
  const error = await failureOf(watch((request) => respond(echo(request))).store.listPets())
  expect(error).toMatchObject({ attempts: 1 })
  expectNoKeyIn(error)
})

test('redaction replaces the API key alone', async () => {
  const { store } = watch((request) => {
    const message = `${echo(request)} ${echo(request)}`
    return rejection({ message, details: [{ path: '/a', message }] }, { 'X-Request-Id': message })
  })
  const message = 'You sent Bearer [redacted] You sent Bearer [redacted]'
  const details = [{ path: '/a', message }]
  expect(await failureOf(store.getPet(1))).toMatchObject({ message, details, requestId: message })
})

test.each(['key', 'api_key', 'missing_api_key'])(
  'the error code and message are unchanged where the API key is %s',
  async (short) => {
    for (const code of ['missing_api_key', 'invalid_api_key']) {
      const rejected = { code, message: 'Send an API key.' }
      const respond = () => rejection(rejected, { 'X-Request-Id': 'key-1' })
      const error = await failureOf(watch(respond, { apiKey: short }).store.listPets())
      expect(error).toMatchObject({ ...rejected, requestId: 'key-1' })
    }
    const cause = new TypeError('the key of the certificate is unknown')
    const { store } = watch(() => Promise.reject(cause), { apiKey: short })
    expect(await failureOf(store.listPets())).toMatchObject({ code: 'network_error', cause })
  },
)

test('a timeout and a body that breaks off have no API key', async () => {
  const late = watch(() => new Promise(() => undefined), { timeout: { attempt: 1 } })
  const cut = watch((request) => {
    const pull = () => Promise.reject(failWith({ request }))
    return new Response(new ReadableStream({ pull }))
  })
  const [timeout, broken] = [
    await failureOf(late.store.getPet(1)),
    await failureOf(cut.store.getPet(1)),
  ]
  expect(timeout.code).toBe('timeout')
  expect(broken).toMatchObject({ code: 'network_error', cause: { message: 'Error: failed' } })
  for (const error of [timeout, broken]) expectNoKeyIn(error)
})

test('a client does not print its API key', () => {
  const store = createAnimalStore({ baseUrl, apiKey })
  for (const form of [inspect(store, whole), JSON.stringify(store), inspect(store.raw, whole)]) {
    expect(form).not.toMatch(/ask_Secret|Bearer/)
  }
})
