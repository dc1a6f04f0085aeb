import { expect, test } from 'vitest'
import { answersIn } from '../support/answers.ts'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { createRequests } from './support/requests.ts'

type Row = readonly [target: string, status: number, told?: string]

const framing = 'bad_request_framing'

const targets: readonly Row[] = [
  ['http://a/v1/pets', 200],
  ['HTTPS://A.example:443/v1/pets?limit=1', 200],
  ['http://[::1]:3000/v1/pets', 200],
  ['http://a?limit=1', 404, 'not_found'],
  ['http:///v1/pets', 400, framing],
  ['http://me:secret@a/v1/pets', 400, framing],
  ['http://[::1/v1/pets', 400, framing],
  ['http://a:b/v1/pets', 400, framing],
  ['ftp://a/v1/pets', 400, framing],
  ['*', 400, framing],
  ['/v1/pets#there', 400, framing],
  ['/v1/pets?limit=1#there', 400, framing],
  ['v1/pets', 400, framing],
  ['?limit=1', 400, framing],
  ['/v1/pets\0', 400, framing],
  ['/v1/pets\x7f', 400, framing],
  ['/v1/pets/\xc3\xa9', 400, framing],
  [`http://${'a'.repeat(9_000)}/v1/pets`, 414, framing],
  [`http://[${'a'.repeat(9_000)}`, 414, framing],
  [`/v1/pets?${'a'.repeat(7_990)}`, 400, `/query/${'a'.repeat(92)}…`],
  [`/v1/pets?${'a'.repeat(7_992)}`, 414, framing],
  ['/v1/pets/%31', 404, 'not_found'],
  ['/v1/pets/%00', 400, '/path/petId'],
  ['/v1/pets/1%00', 400, '/path/petId'],
  ['/v1/pets/%2e%2e', 400, '/path/petId'],
  ['/v1/pets/%2e%2e/pets', 404, 'not_found'],
  ['/v1/pets/1%2F2', 400, '/path/petId'],
  ['/v1/pets/..%2Fpets', 400, '/path/petId'],
  ['/v1/pets/1;v=1', 400, '/path/petId'],
  ['/v1/pets/%', 400, '/path/petId'],
  ['/v1/pets/%3', 400, '/path/petId'],
  ['/v1/pets/%zz', 400, '/path/petId'],
  ['/v1/pets/%ff', 400, '/path/petId'],
  ['/v1/pets/%c0%b1', 400, '/path/petId'],
  ['/v1/pets/%ed%a0%80', 400, '/path/petId'],
  ['/v1/pets/%D9%A1', 400, '/path/petId'],
  ['/v1/pets/%EF%BC%91', 400, '/path/petId'],
  ['/v1/pets/%2531', 400, '/path/petId'],
  ['/v1/pets/+1', 400, '/path/petId'],
  ['/v1/pets/1e0', 400, '/path/petId'],
  [`/v1/pets/${'1'.repeat(7_000)}`, 400, '/path/petId'],
  ['/v1/pets\\1', 404, 'not_found'],
  [`/v1/pets?${'limit=1&'.repeat(998)}`, 400, '/query/limit'],
  [`/v1/pets?${'a&'.repeat(10_000)}`, 414, framing],
  ['/v1/pets?', 200],
  ['/v1/pets?&&limit=1&', 200],
  ['/v1/pets?limit=%EF%BC%91', 400, '/query/limit'],
  [`/v1/pets?limit=${'1'.repeat(309)}`, 400, '/query/limit'],
  ['/v1/pets?limit=1%00', 400, '/query/limit'],
  ['/v1/pets?limit=1;status=sold', 400, '/query/limit'],
  ['/v1/pets?%6Cimit=1', 200],
  ['/v1/pets?%ff=1', 400, '/query/%ff'],
  ['/v1/pets?li%00mit=1', 400, '/query/li\0mit'],
  ['/v1/pets?status=%73old', 200],
  ['/v1/pets?status=so%6C%CC%81d', 400, '/query/status'],
  ['/v1/pets?status=%EF%BD%93old', 400, '/query/status'],
  ['/v1/pets?status=sold+', 400, '/query/status'],
  ['/v1/pets?cursor=%F0%9F%90%B6', 400, '/query/cursor'],
  ['/v1/pets??limit=1', 400, '/query/?limit'],
]

test('each target gets its status and nothing else, and is told where it is wrong', async () => {
  const service = await startTestService()
  const { get } = createRequests(service)
  const got = await Promise.all(
    targets.map(async ([target]) => {
      const { text } = await exchangeBytes(service.origin, get(target, 'Connection: close\r\n'))
      const [{ status, body } = { status: 0, body: '' }, ...more] = answersIn(text)
      expect(more).toEqual([])
      const { code, details } = status === 200 ? {} : JSON.parse(body)
      const told = code === 'invalid_request' ? details[0].path : code
      return [target, told === undefined ? [status] : [status, told]]
    }),
  )
  expect(Object.fromEntries(got)).toEqual(
    Object.fromEntries(targets.map(([target, ...answer]) => [target, answer])),
  )
  expect(service.logged).toEqual([])
})
