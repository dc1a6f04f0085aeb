import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createToolLibrary } from '../../fixture-api/client.ts'
import { apiKey, baseUrl, fail, reasonOf, recordClient, saw, succeed } from './support/client.ts'

test.each<[string, unknown, string]>([
  ['apiKey', 'lib_hush\nX-Other: 1', 'apiKey must be a string of visible ASCII'],
  // Read from a file, for example.
  ['apiKey', 'lib_hush\n', 'apiKey must be a string of visible ASCII'],
  ['apiKey', 123454321, 'apiKey must be a string of visible ASCII'],
  ['apiKey', '', 'apiKey is empty'],
  ['apiKey', undefined, 'apiKey is empty'],
  ['baseUrl', 'https://hush@tools.example/v2', 'baseUrl must be'],
  ['baseUrl', 'https://hush.example/v2?', 'baseUrl must be'],
  ['baseUrl', 'hush.example/v2', 'baseUrl must be'],
  ['baseUrl', 'ftp://hush.example/v2', 'baseUrl must be'],
  ['retry', { hush: 2 }, 'The client has no option retry. Allowed: baseUrl, '],
  ['timeout', { hush: 5 }, 'timeout must be a number'],
  ['maxRetries', 1.5, 'maxRetries must be a whole number, 0 or more'],
  ['fetch', 3, 'fetch must be a function'],
  ['pacer', {}, 'pacer must be created by createPacer'],
  ['onRetry', 3, 'onRetry must be a function'],
  ['maxRetryDelay', -1, 'maxRetryDelay must be a number'],
])('%s %j is a TypeError of the client that does not show it', async (name, value, message) => {
  // `Reflect.apply` lets options of wrong types through.
  const create = async () =>
    Reflect.apply(createToolLibrary, undefined, [{ baseUrl, apiKey, [name]: value }])
  const error = await reasonOf(create())
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringContaining(message))
  expect(inspect(error, { showHidden: true })).not.toMatch(/hush|123454321/)
})

test.each([
  ['https://tools.example/v2', 'https://tools.example/v2/tools'],
  ['https://tools.example/v2/', 'https://tools.example/v2/tools'],
  ['HTTPS://Tools.example/a%20b/v2', 'https://tools.example/a%20b/v2/tools'],
])('with baseUrl %s a list is requested from %s with the API key', async (url, sent) => {
  const { client, requests } = recordClient(() => Response.json([]), { baseUrl: url })
  await client.listTools()
  await client.raw.GET('/tools', {})
  expect(requests.map((request) => request.url)).toEqual([sent, sent])
  const credentials = requests.map(({ headers }) => headers.get('authorization'))
  expect(credentials).toEqual([`Bearer ${apiKey}`, `Bearer ${apiKey}`])
})

test.each([
  ['Headers', new Headers({ 'Idempotency-Key': 'order-1', traceparent: '00' })],
  ['pairs', Object.entries({ 'IDEMPOTENCY-KEY': 'order-1', traceparent: '00' })],
  ['an object', { 'idempotency-key': 'order-1', traceparent: '00', tracestate: undefined }],
])('headers may be %s, are sent with every attempt, and may be of any name', async (_, headers) => {
  const script = [fail(503), () => Response.json(saw)]
  const { client, requests } = recordClient(script, { maxRetries: 1 })
  await Reflect.apply(client.createTool, client, [saw, { headers }])
  const names = ['idempotency-key', 'traceparent', 'tracestate']
  const sent = requests.map(({ headers }) => names.map((name) => headers.get(name)))
  expect(sent).toEqual(Array(2).fill(['order-1', '00', null]))
})

type Row = [
  what: string,
  'getTool' | 'listTools' | 'createTool',
  values: unknown[],
  message: string,
]

const beyondLatin1 = { headers: { 'Idempotency-Key': 'order-🐈' } }
const needsId = "getTool needs toolId, which must not be empty, '.' or '..'."

test.each<Row>([
  ...[undefined, null, '', '.', '..'].map((toolId): Row => {
    return [`a path parameter that is ${JSON.stringify(toolId)}`, 'getTool', [toolId], needsId]
  }),
  [
    'an unknown option',
    'getTool',
    [1, { retry: 1 }],
    'getTool has no option retry. Allowed: headers',
  ],
  ['one of lists', 'getTool', [1, { maxPages: 5 }], 'no option maxPages'],
  ['an unknown one of a list', 'listTools', [{}, { retry: 1 }], 'maxPages'],
  ['maxPages: 0', 'listTools', [{}, { maxPages: 0 }], 'a whole number, 1 or more'],
  ['an invalid totalTimeout', 'getTool', [1, { totalTimeout: '5' }], 'must be a number'],
  ['headers that are a text', 'getTool', [1, { headers: 'a: b' }], 'must be an object'],
  ['an invalid signal', 'getTool', [1, { signal: true }], 'signal must be an AbortSignal'],
  [
    'a number for options',
    'getTool',
    [1, 5],
    'getTool needs an object of options. Allowed: headers',
  ],
  ['a BigInt in the body', 'createTool', [{ ...saw, teeth: 7n }], 'BigInt'],
  ['a header value beyond Latin-1', 'createTool', [saw, beyondLatin1], ''],
])('%s is a TypeError of the call, and nothing is sent', async (_, method, values, message) => {
  const { client, requests } = recordClient(succeed, { maxRetries: 3 })
  const error = await reasonOf(Reflect.apply(client[method], client, values))
  expect(error).toBeInstanceOf(TypeError)
  expect(error).toHaveProperty('message', expect.stringContaining(message))
  expect(requests).toHaveLength(0)
})

test('apiKey may be a function, which is called for every attempt', async () => {
  let count = 0
  const keyOf = async () => `lib_key${++count}`
  const respond = [fail(503), () => Response.json([])]
  const { client, requests } = recordClient(respond, { apiKey: keyOf, maxRetries: 1 })
  await client.listTools()
  await client.raw.GET('/tools')
  const sent = requests.map(({ headers }) => headers.get('authorization'))
  expect(sent).toEqual(['Bearer lib_key1', 'Bearer lib_key2', 'Bearer lib_key3'])

  const reason = new Error('The vault is closed.')
  const broken = recordClient(succeed, { apiKey: () => Promise.reject(reason), maxRetries: 3 })
  expect(await reasonOf(broken.client.listTools())).toBe(reason)
  const empty = recordClient(succeed, { apiKey: () => '' })
  expect(await reasonOf(empty.client.listTools())).toEqual(new TypeError('apiKey is empty.'))
  expect([broken.requests, empty.requests]).toEqual([[], []])
})
