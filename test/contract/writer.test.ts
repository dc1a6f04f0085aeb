import { createServer } from 'node:http'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { AnyReply } from '../../server/contract/answer/reply.ts'
import { createWriter, type WriterOptions } from '../../server/contract/answer/writer.ts'
import type { Exchange, Response } from '../../server/contract/exchange.ts'

interface Given extends Partial<Omit<WriterOptions, 'log'>> {
  readonly exchange?: Partial<Exchange>
  readonly method?: string
  /** Done to the response before the reply is sent. */
  readonly before?: (response: Response) => void
}

/** Sends a reply over HTTP; gives the answer, and what was noted and logged of it. */
async function answer(reply: AnyReply, given: Given = {}) {
  const { exchange: known, method = 'GET', before, ...options } = given
  const logged: Record<string, unknown>[] = []
  const exchange: Exchange = {
    ...{ requestId: 'request', path: '/tools', rawQuery: '', underContract: true },
    ...{ match: { kind: 'path-unknown' }, headers: {}, callerId: undefined },
    ...{ faults: [], errorCode: undefined, ...known },
  }
  const send = createWriter({
    ...{ checks: () => [], responseValidation: 'strict', isDraining: () => false, ...options },
    log: pino({ base: null }, { write: (line) => logged.push(JSON.parse(line)) }),
  })
  const server = createServer(async (_request, outgoing) => {
    const response = Object.assign(outgoing, { locals: { exchange } })
    before?.(response)
    await send(response, reply)
    if (!response.writableEnded) response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const response = await fetch(`http://127.0.0.1:${port}`, { method })
  const { status, headers } = response
  return { status, headers, text: await response.text(), exchange, logged }
}

test('content is JSON with its length in bytes, or a text of another media type', async () => {
  const json = await answer({ status: 200, body: { name: 'Zoë' } })
  expect(json.text).toBe('{"name":"Zoë"}')
  expect(json.headers.get('content-type')).toBe('application/json')
  expect(json.headers.get('content-length')).toBe('15')
  const text = await answer({ status: 200, body: 'Zoë', mediaType: 'text/plain' })
  expect([text.text, text.headers.get('content-type')]).toEqual(['Zoë', 'text/plain'])
})

test('HEAD gets the fields of the content without it, and no body has none', async () => {
  const head = await answer({ status: 200, body: [1] }, { method: 'HEAD' })
  expect([head.text, head.headers.get('content-length')]).toEqual(['', '3'])
  const none = await answer({ status: 204, headers: { Allow: 'GET' } })
  expect([none.status, none.headers.get('allow')]).toEqual([204, 'GET'])
  expect(none.headers.has('content-type')).toBe(false)
})

test('what the service says and what the handler says stand side by side, links in one field', async () => {
  const linkOf = async (own: string | undefined, service: string | undefined) => {
    const exchange = { headers: { 'X-Service': 1, Link: service } }
    const { headers } = await answer(
      { status: 200, headers: { 'X-Own': true, Link: own } },
      { exchange },
    )
    expect([headers.get('x-service'), headers.get('x-own')]).toEqual(['1', 'true'])
    return headers.get('link')
  }
  expect(await linkOf('<a>', '<b>')).toBe('<a>, <b>')
  expect(await linkOf('<a>', undefined)).toBe('<a>')
  expect(await linkOf(undefined, '<b>')).toBe('<b>')
  expect(await linkOf(undefined, undefined)).toBeNull()
})

test('a service that goes down closes the connection', async () => {
  const closes = async (isDraining: boolean) =>
    (await answer({ status: 204 }, { isDraining: () => isDraining })).headers.get('connection')
  expect([await closes(true), await closes(false)]).toEqual(['close', 'keep-alive'])
})

const broken = { status: 200, body: ['secret'], headers: { 'X-Own': 1 } }
const inside = new Error('inside')

test.for([
  ['found', () => ['body is wrong'], 'body is wrong'],
  ['found later', async () => ['body is wrong'], 'body is wrong'],
  [
    'of the check',
    () => {
      throw inside
    },
    'the check itself failed: Error: inside',
  ],
  ['of the check, later', () => Promise.reject(inside), 'the check itself failed: Error: inside'],
] as const)(
  'with a fault %s, an answer is withheld, or sent and logged',
  async ([, checks, fault]) => {
    const exchange = { headers: { 'X-Service': 1 } }
    const strict = await answer(broken, { checks, exchange })
    expect(strict.status).toBe(500)
    expect(JSON.parse(strict.text)).toMatchObject({ code: 'internal_error', status: 500 })
    expect([strict.headers.get('x-service'), strict.headers.get('x-own')]).toEqual(['1', null])
    expect(strict.exchange).toMatchObject({ faults: [fault], errorCode: 'internal_error' })
    const where = { requestId: 'request', path: '/tools', status: 200, faults: [fault] }
    expect(strict.logged).toMatchObject([
      { ...where, level: 50, msg: 'an answer breaks the contract' },
    ])

    const lax = await answer(broken, { checks, exchange, responseValidation: 'log' })
    expect([lax.status, lax.text, lax.headers.get('x-own')]).toEqual([200, '["secret"]', '1'])
    expect(lax.exchange).toMatchObject({ faults: [fault], errorCode: undefined })
    expect(lax.logged).toHaveLength(1)
  },
)

test('what the contract does not rule is not checked', async () => {
  const checks = () => ['never asked']
  const outside = await answer({ ...broken, isOutsideContract: true }, { checks })
  const page = await answer(broken, { checks, exchange: { underContract: false } })
  for (const { status, logged } of [outside, page]) expect([status, logged]).toEqual([200, []])
})

test.for([
  [{ status: 404, body: { code: 'not_found' } }, 'not_found'],
  [{ status: 400, body: { code: 'a' } }, 'a'],
  [{ status: 399, body: { code: 'a' } }, undefined],
  [{ status: 404, body: { code: 7 } }, undefined],
  [{ status: 404, body: 'code' }, undefined],
  [{ status: 404 }, undefined],
] as const)('of %j the code %s is noted', async ([reply, code]) => {
  expect((await answer(reply)).exchange.errorCode).toBe(code)
})

test('what was answered already is not answered twice', async () => {
  const before = (response: Response) => void response.writeHead(202).flushHeaders()
  const { status, text } = await answer(broken, { before })
  expect([status, text]).toEqual([202, ''])
})
