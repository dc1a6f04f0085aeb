import { expect, test } from 'vitest'
import contract from '../../generated/openapi.json' with { type: 'json' }
import { readDescription } from '../helpers/conformance/description.ts'
import { createResponseCheck } from '../helpers/conformance/responses.ts'
import { sendBytes } from '../helpers/raw.ts'
import { startAnimalStore } from './support/service.ts'

type Rows = readonly (readonly [status: number, bytes: string])[]

const description = readDescription(contract)
const { basePath } = description
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

test.for([
  ['that match no operation are those of x-undeclared-operations', unmatched],
  ['that are malformed are x-framing-response', malformed],
] as const)('the responses to requests %s', async ([, rows]) => {
  const check = createResponseCheck(description)
  const { origin, apiKey } = await startAnimalStore()
  for (const [status, bytes] of rows) {
    const response = await sendBytes(origin, bytes.replace('KEY', apiKey))
    expect(response.status, bytes.slice(0, 60)).toBe(status)
    const received = { ...response, headers: new Headers(response.headers) }
    expect(check({ method: 'GET', path: `${basePath}/` }, received)).toEqual([])
  }
})
