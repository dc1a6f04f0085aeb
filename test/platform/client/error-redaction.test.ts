import { format, inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createToolLibrary } from '../../fixture-api/client.ts'
import { apiKey, baseUrl, failureOf, recordClient } from './support/client.ts'

const whole = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true } as const
const secrets = [apiKey, JSON.stringify(apiKey).slice(1, -1), inspect(apiKey).slice(1, -1)]

/** Fails if the API key is in any form in which a program may print or pass on what it caught. */
function expectNoKeyIn(thrown: unknown): void {
  const { stack, message, cause } = thrown instanceof Error ? thrown : new Error('no error')
  const forms = [
    format(thrown),
    inspect(thrown, whole),
    inspect(structuredClone(thrown), whole),
    JSON.stringify(thrown, Object.getOwnPropertyNames(thrown)),
    `${thrown} ${stack} ${message} ${cause}`,
  ]
  for (const form of forms) {
    for (const secret of secrets) {
      expect(form).not.toContain(secret)
    }
  }
  if (cause instanceof Error) {
    expectNoKeyIn(cause)
  }
}

const failWith = (properties: object) => Object.assign(new Error('failed'), properties)
const circular = failWith({ apiKey })
circular.cause = circular

test.each<[string, () => unknown]>([
  ['its message', () => new Error(`failed with ${apiKey}`)],
  ['a property', () => failWith({ deeply: [{ inside: `Bearer ${apiKey}` }], [apiKey]: 1 })],
  ['its code', () => failWith({ code: apiKey })],
  ['its cause', () => new TypeError('fetch failed', { cause: new Error(apiKey) })],
  ['itself as its cause', () => circular],
  ['a text', () => `failed with ${apiKey}`],
])('what fetch throws with the API key in %s is redacted', async (_, thrown) => {
  const { client, retries } = recordClient(() => Promise.reject(thrown()), { maxRetries: 1 })
  for (const call of [() => client.getTool(1), () => client.raw.GET('/tools', {})]) {
    const error = await failureOf(call())
    expect(error).toMatchObject({ code: 'network_error' })
    expectNoKeyIn(error)
    expectNoKeyIn(retries.at(-1)?.cause)
  }
  expect(retries).toHaveLength(2)
})

test.each([
  ['code', Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['name', new RangeError(), 'RangeError'],
])('an error without a message is named by its %s', async (_, thrown, text) => {
  const { client } = recordClient(() => Promise.reject(thrown))
  const error = await failureOf(client.getTool(1))
  expect(error.message).toBe(`GET /tools/{toolId}: ${text} (tools.example)`)
  expect(error.cause).toMatchObject({ name: thrown.name, message: '' })
})

const body = { code: 'not_found', message: 'There is none.', status: 404 }
const rejection = (more: object, headers = {}) =>
  Response.json({ ...body, ...more }, { status: 404, headers })
const page = (sent: string, init: ResponseInit = {}) => new Response(sent, { status: 502, ...init })
const echo = ({ headers }: Request) => `You sent ${headers.get('authorization')}`

// A proxy may repeat what it was sent.
test.each<[string, (sent: string) => Response]>([
  ['the code', (sent) => rejection({ code: sent })],
  ['another member', (sent) => rejection({ [sent]: sent })],
  ['a name in the details', (sent) => rejection({ details: [{ [sent]: [{ [sent]: 1 }] }] })],
  ['an HTML page', (sent) => page(sent)],
  ['the media type', (sent) => page('', { headers: { 'Content-Type': sent } })],
  ['a success', (sent) => new Response(sent, { headers: { 'X-Request-Id': sent } })],
  [
    'a Link',
    (sent) =>
      Response.json([], { headers: { Link: `<https://other.example?cursor=${sent}>; rel=next` } }),
  ],
])('a response with the API key in %s is redacted', async (_, respond) => {
  const error = await failureOf(
    recordClient((request) => respond(echo(request))).client.listTools(),
  )
  expect(error).toMatchObject({ attempts: 1 })
  expectNoKeyIn(error)
})

test('redaction replaces the API key alone, of a function too', async () => {
  const { client } = recordClient(
    (request) => {
      const message = `${echo(request)} ${echo(request)}`
      return rejection({ message, details: [{ path: '/a', message }] }, { 'X-Request-Id': message })
    },
    { apiKey: () => apiKey },
  )
  const message = 'You sent Bearer [redacted] You sent Bearer [redacted]'
  const details = [{ path: '/a', message }]
  const error = await failureOf(client.getTool(1))
  expect(error).toMatchObject({ message, details, requestId: message })
  expectNoKeyIn(error)
})

test('an API key is redacted from 8 characters on', async () => {
  for (const [key, message] of [
    ['1234567', 'sent 1234567'],
    ['12345678', 'sent [redacted]'],
  ] as const) {
    const { client } = recordClient(() => rejection({ message: `sent ${key}` }), { apiKey: key })
    expect(await failureOf(client.getTool(1))).toMatchObject({ message })
  }
})

test('a client does not print its API key', () => {
  const client = createToolLibrary({ baseUrl, apiKey })
  for (const form of [inspect(client, whole), JSON.stringify(client), inspect(client.raw, whole)]) {
    expect(form).not.toMatch(/lib_Secret|Bearer/)
  }
})
