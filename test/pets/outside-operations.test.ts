import { expect, test } from 'vitest'
import contract from '../../generated/openapi.json' with { type: 'json' }
import { type JsonObject, readDescription } from '../helpers/conformance/description.ts'
import { createResponseCheck } from '../helpers/conformance/responses.ts'
import { sendBytes } from '../helpers/raw.ts'
import { startTestService } from '../helpers/service.ts'

type Rows = readonly (readonly [status: number, bytes: string])[]

const { 'x-framing-response': framing, ...root } = contract
const { basePath } = readDescription(root)
const host = 'Host: a\r\nConnection: close\r\n'
const withKey = `${host}Authorization: Bearer KEY\r\n`

const unmatched: Rows = [
  [404, `GET ${basePath}/nothing HTTP/1.1\r\n${withKey}\r\n`],
  [405, `TRACE ${basePath}/pets HTTP/1.1\r\n${withKey}\r\n`],
  [204, `OPTIONS ${basePath}/pets HTTP/1.1\r\n${withKey}\r\n`],
  [401, `GET ${basePath}/nothing HTTP/1.1\r\n${host}\r\n`],
]

/** Malformed requests, which more than one part of the service rejects. */
const malformed: Rows = [
  [400, 'nonsense\r\n\r\n'],
  [414, `GET /${'a'.repeat(9_000)} HTTP/1.1\r\n${host}\r\n`],
  [417, `GET / HTTP/1.1\r\n${host}Expect: tea\r\n\r\n`],
  [431, `GET / HTTP/1.1\r\n${host}X: ${'a'.repeat(20_000)}\r\n\r\n`],
  [501, `BREW / HTTP/1.1\r\n${host}\r\n`],
]

/** Sends requests that match no operation, and compares their responses with those declared by status. */
async function expectDeclared(rows: Rows, outside: JsonObject): Promise<void> {
  const description = readDescription({ ...root, paths: {}, 'x-outside-operations': outside })
  const check = createResponseCheck(description)
  const { origin, apiKey } = await startTestService()
  for (const [status, bytes] of rows) {
    const response = await sendBytes(origin, bytes.replace('KEY', apiKey))
    expect(response.status, bytes.slice(0, 60)).toBe(status)
    const received = { ...response, headers: new Headers(response.headers) }
    expect(check({ method: 'GET', path: `${basePath}/` }, received)).toEqual([])
  }
}

test('the responses to requests that match no operation are those of x-outside-operations', async () => {
  await expectDeclared(unmatched, root['x-outside-operations'])
})

test('the responses to malformed requests are x-framing-response', async () => {
  await expectDeclared(
    malformed,
    Object.fromEntries(malformed.map(([status]) => [status, framing])),
  )
})
