import type { ServerResponse } from 'node:http'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeEach, expect, test } from 'vitest'
import description from '../../../generated/openapi.json' with { type: 'json' }
import { openSocket } from '../../helpers/raw.ts'
import { needBalancer, startBalancer, startInstance } from './balancer.ts'
import { readDeployFile } from './files.ts'

beforeEach(needBalancer)

/** The number of `maxconn` in haproxy.cfg. */
const slots = 32

const ajv = new Ajv2020({ strict: false }).addSchema(description, 'description')
const isError = ajv.compile({ $ref: 'description#/components/schemas/Error' })
const isRequestId = ajv.compile({ $ref: 'description#/components/headers/X-Request-Id/schema' })

async function expectError(response: Response, status: number, code: string): Promise<void> {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('x-request-id')).toSatisfy(isRequestId)
  const body = await response.json()
  expect(body).toSatisfy(isError)
  expect(body).toMatchObject({ status, code })
}

test('requests beyond maxconn that wait too long in the queue get 503 with Retry-After, as an Error object', async () => {
  const held: ServerResponse[] = []
  const { origin } = await startBalancer([
    await startInstance((_, response) => held.push(response)),
  ])
  const rejected: Response[] = []
  const accepted: Response[] = []
  const all = Array.from({ length: slots + 8 }, async () => {
    const response = await fetch(`${origin}/v1/pets`)
    ;(response.status === 503 ? rejected : accepted).push(response)
  })
  await expect.poll(() => [rejected.length, held.length]).toEqual([8, slots])
  for (const response of held) response.end()
  await Promise.all(all)
  expect(accepted.map(({ status }) => status)).toEqual(held.map(() => 200))
  for (const response of rejected) {
    expect(response.headers.get('retry-after')).toMatch(/^[1-4]$/)
    await expectError(response, 503, 'unavailable')
  }
})

test('requests whose content is slow take no slot of an instance', async () => {
  const { origin } = await startBalancer([
    await startInstance((request, response) => request.resume().once('end', () => response.end())),
  ])
  for (let count = 0; count < 2 * slots; count++) {
    const head = 'POST /v1/pets HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n'
    await new Promise((resolve) => openSocket(origin).write(head, resolve))
  }
  expect((await fetch(`${origin}/v1/pets`)).status).toBe(200)
})

test('every error response of the balancer is an Error object with a request ID', async () => {
  const listed = readDeployFile('haproxy.cfg').matchAll(
    /^ *http-error status (\d+) content-type application\/json string '(.*?)'/gm,
  )
  const bodies = [...listed].map(([, status, body = '']) => ({ status, body: JSON.parse(body) }))
  expect(bodies.map(({ status }) => status)).toEqual(['400', '408', '500', '502', '503', '504'])
  for (const { status, body } of bodies) {
    expect(body).toSatisfy(isError)
    expect(body.status).toBe(Number(status))
  }
  const instance = await startInstance(({ socket }) => socket.end('no HTTP\r\n\r\n'))
  const { origin } = await startBalancer([instance])
  await expectError(await fetch(`${origin}/v1/pets`), 502, 'unavailable')
  const own = { 'X-Request-Id': 'my-own-request-1' }
  const named = await fetch(`${origin}/v1/pets`, { headers: own })
  expect(named.headers.get('x-request-id')).toBe('my-own-request-1')
  const invalid = { 'X-Request-Id': 'not/a/request/id' }
  await expectError(await fetch(`${origin}/v1/pets`, { headers: invalid }), 502, 'unavailable')
})

test('responses of the service pass the balancer unchanged, with the request ID that it was sent', async () => {
  const instance = await startInstance(({ headers }, response) => {
    const fields = { 'X-Request-Id': `seen-${headers['x-request-id']}`, 'Retry-After': '7' }
    response.writeHead(503, { ...fields, 'Content-Type': 'text/plain' }).end('own')
  })
  const { origin } = await startBalancer([instance])
  const response = await fetch(`${origin}/v1/pets`, { headers: { 'X-Request-Id': 'my-request' } })
  expect({ status: response.status, body: await response.text() }).toEqual({
    status: 503,
    body: 'own',
  })
  const { connection, date, ...headers } = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'x-request-id': 'seen-my-request',
    'retry-after': '7',
    'content-type': 'text/plain',
  })
  expect(headers).not.toHaveProperty('cache-control')
})
