import { createServer } from 'node:http'
import express from 'express'
import { expect, test } from 'vitest'
import { errorHandler } from '../../../server/http/error-handler.ts'
import { createLog } from '../../../server/ops/log.ts'
import { apiKeyMarker as marker } from '../../../server/process/names.ts'
import { ThrottledLog } from '../../../server/process/throttled-log.ts'
import { createApiKey } from '../../../server/security/api-key.ts'
import { startFixtureService, startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { listen } from '../../helpers/free-port.ts'
import { sendBytes } from '../../helpers/raw.ts'

interface Detail {
  readonly path: string
  readonly message: string
}

const drill = { kind: 'drill', name: 'a', power: 1 }

/** Bodies of an update, and of a create, whose form its discriminator chooses, with all their violations. */
const rows: readonly (readonly [
  method: 'PATCH' | 'POST',
  body: unknown,
  violations: Readonly<Record<string, string>>,
])[] = [
  ['PATCH', {}, { '/body': 'must have at least 1 field' }],
  ['PATCH', [], { '/body': 'must be an object' }],
  ['PATCH', { name: 'a'.repeat(101) }, { '/body/name': 'must have at most 100 characters' }],
  ['PATCH', { tags: ['a', 'a'] }, { '/body/tags': 'must not have the same item twice' }],
  ['PATCH', { tags: [...'abcdef'] }, { '/body/tags': 'must have at most 5 items' }],
  ['PATCH', { tags: [''] }, { '/body/tags/0': 'must have at least 1 character' }],
  ['PATCH', { 'a/b~c': 1 }, { '/body/a~1b~0c': 'is not a known field' }],
  [
    'PATCH',
    { name: 1, note: 5, x: 1 },
    {
      '/body/name': 'must be a string',
      '/body/note': 'must be a string or null',
      '/body/x': 'is not a known field',
    },
  ],
  ['POST', { ...drill, name: undefined }, { '/body/name': 'is missing' }],
  ['POST', { ...drill, power: 0 }, { '/body/power': 'must be at least 1' }],
  ['POST', { ...drill, power: 1.5 }, { '/body/power': 'must be an integer' }],
  ['POST', { ...drill, weight: 0 }, { '/body/weight': 'must be more than 0' }],
  ['POST', { ...drill, weight: 0.3 }, { '/body/weight': 'must be a multiple of 0.5' }],
  ['POST', { ...drill, bought: '2023-02-29' }, { '/body/bought': 'must have the format date' }],
  ['POST', { ...drill, teeth: 1 }, { '/body/teeth': 'is not a known field' }],
  ['POST', { ...drill, kind: 'axe' }, { '/body/kind': 'must be one of drill, saw' }],
  ['POST', {}, { '/body/kind': 'is missing' }],
  ['POST', null, { '/body': 'must be an object' }],
]

test('a rejected body has each violation once, in plain words', async () => {
  const { send } = await startFixtureService()
  for (const [method, body, violations] of rows) {
    const what = JSON.stringify(body)
    const path = method === 'POST' ? tools : `${tools}/1`
    const response = await send(path, { method, json: body })
    const { code, details, message }: Record<string, unknown> = await response.json()
    expect([response.status, code], what).toEqual([400, 'invalid_request'])
    const wanted = Object.entries(violations).map(([path, text]) => ({ path, message: text }))
    expect(details, what).toHaveLength(wanted.length)
    expect(details, what).toEqual(expect.arrayContaining(wanted))
    const places = wanted.length === 1 ? '1 place' : `${wanted.length} places`
    expect(message, what).toBe(`The request breaks the contract in ${places}.`)
  }
})

test('an error repeats at most 100 characters of a request, and has at most 100 details', async () => {
  const { send } = await startFixtureService()
  const signs = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${'§'.repeat(9)}${at}`, '1']))
  const foxes = { ['🦊'.repeat(40)]: 1, ['🦊/~'.repeat(40)]: 2, ['🦊'.repeat(3)]: 3 }
  const long = '🦊'.repeat(2_000)
  const bodies = [signs(600), foxes, { [long]: 1 }, { name: long }]
  for (const body of bodies) {
    for (const query of ['', `?${new URLSearchParams(signs(20))}`]) {
      const response = await send(tools + query, { json: body })
      const text = await response.text()
      const { details, message }: { details: Detail[]; message: string } = JSON.parse(text)
      expect(response.status).toBe(400)
      expect(text.match(/[§🦊]/gu)?.length ?? 0).toBeLessThanOrEqual(100)
      expect(text.isWellFormed()).toBe(true)
      expect(details.length).toBeLessThanOrEqual(100)
      for (const detail of details) {
        expect(detail.path.length).toBeLessThanOrEqual(100)
        expect(detail.message.length).toBeLessThanOrEqual(200)
      }
      // What the request lacks is not lost among the unknown names.
      expect(details.some(({ path }) => path === '/body/name' || path === '/body/kind')).toBe(true)
      expect(Number(/in (\d+) place/.exec(message)?.[1])).toBeGreaterThanOrEqual(details.length)
    }
  }
})

test('of thousands of violations the first are listed, and every property that has some', async () => {
  const integers = { type: 'array', items: { type: 'integer' } }
  // Each text has an error in the first form, and none in the second.
  const forms = [integers, { type: 'array', items: { type: 'string' } }]
  const properties = {
    either: { anyOf: forms },
    contains: { type: 'array', contains: { type: 'integer' } },
    first: integers,
    second: integers,
  }
  const { send } = await startFixtureWith({
    edit({ paths }) {
      const content = paths['/tools'].post.requestBody.content['application/json']
      content.schema = { type: 'object', properties, required: ['name'] }
    },
  })
  const texts = Array<unknown>(1_000).fill('')
  const numbers = Array<unknown>(1_000).fill(1)
  const accepted = { name: 'a', either: texts, contains: [...texts, 1], first: numbers }
  const rejected = async (body: object) => {
    const response = await send(tools, { json: body })
    expect(response.status).toBe(400)
    const { details, message }: { details: Detail[]; message: string } = await response.json()
    return { message, details, paths: details.map(({ path }) => path) }
  }
  // One wrong item after a thousand others.
  const one = await rejected({ ...accepted, second: [...numbers, ''] })
  expect(one.details).toEqual([{ path: '/body/second/1000', message: 'must be an integer' }])
  const many = await rejected({ ...accepted, name: undefined, second: texts })
  const listed = Array.from({ length: 99 }, (_, index) => `/body/second/${index}`)
  expect(many.paths).toEqual(['/body/name', ...listed])
  expect(many.message).toBe('The request breaks the contract in 201 places or more.')
  const few = await rejected({ ...accepted, second: texts.slice(0, 150) })
  expect(few.paths).toHaveLength(100)
  expect(few.message).toBe('The request breaks the contract in 150 places.')
})

test('a handler that fails is a 500 that shows nothing of it, and a log line without API keys', async () => {
  const key = createApiKey()
  const getManual = () => {
    throw new Error(`inside ${key}`, { cause: new Error(`Bearer ${key}`) })
  }
  const { send, logged } = await startFixtureWith({ handlers: { getManual } })
  const response = await send(`${tools}/1/manual`)
  const message = 'The service failed. Quote the X-Request-Id header when you ask for help.'
  expect([response.status, await response.json()]).toEqual([
    500,
    { code: 'internal_error', message, status: 500 },
  ])
  const requestId = response.headers.get('x-request-id')
  const line = { level: 'error', requestId, path: `${tools}/1/manual`, msg: 'request failed' }
  expect(logged).toMatchObject([
    { ...line, err: { message: `inside ${marker}***: Bearer ${marker}***` } },
  ])
  expect(JSON.stringify(logged)).not.toContain(key)
})

test('an error after the headers of a response were sent ends its connection', async () => {
  const log = createLog('silent', { write: () => undefined })
  const storeErrorLog = new ThrottledLog(log, { startMessage: '', endMessage: '' })
  // As the function of the service does once the headers are sent.
  const send = () => undefined
  const app = express()
  app.get('/', (_request, response, next) => {
    response.write('{"name":', () => next(new Error('not complete')))
  })
  app.use(errorHandler(send, storeErrorLog, log))
  const origin = `http://127.0.0.1:${await listen(createServer(app))}`
  const { status, text } = await sendBytes(origin, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(status).toBe(200)
  // The last chunk of the content would be empty.
  expect(text).toMatch(/\{"name":\r\n$/)
})
