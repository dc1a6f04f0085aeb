import { expect, test } from 'vitest'
import type { Exchange } from '../support/traffic/exchange.ts'
import { judgeAnswers, judgeTraffic } from '../support/traffic/verdict.ts'
import { describedExchanges } from './support/described-exchanges.ts'

const described = describedExchanges()

function find(operation: string, status: number): Exchange {
  const [method = '', path = ''] = operation.split(' ')
  const found = described.find(
    (each) =>
      each.method === method && new URL(each.url).pathname === path && each.status === status,
  )
  if (found === undefined) throw new Error(`Nothing is described as ${operation} ${status}.`)
  return found
}

function change(exchange: Exchange, name: string, value: string | undefined): Exchange {
  const others = exchange.headers.filter((field) => field.name !== name)
  return { ...exchange, headers: value === undefined ? others : [...others, { name, value }] }
}

test('traffic with everything that is described is whole, and has no fault', async () => {
  const { row, faults } = await judgeTraffic(described)
  expect(faults).toEqual([])
  const shares = [...row.matchAll(/(\d+) %/g)].map(([, share]) => share)
  expect(shares).toEqual(['100', '100', '100'])
})

test('what no test asked or was answered is named: an operation, a parameter, a status', async () => {
  const lacking = described
    .filter(({ url, status }) => !url.includes('/pets/') && status !== 503)
    .map((each) => ({ ...each, url: each.url.replace(/&?cursor=[^&]*/, '') }))
  const { row, faults } = await judgeTraffic(lacking)
  expect(row).toMatch(/^traffic × contract {2}operations 66 % \(3\) {2}parameters \d\d % \(\d+\)/)
  const missing = faults.map(
    (fault) => /^described, and in no recorded traffic: (.*)$/.exec(fault)?.[1],
  )
  expect(missing).toEqual(
    expect.arrayContaining(['getPet', 'getPet 200', 'listPets 503', 'createPet 503']),
  )
  expect(missing).toContain('listPets query parameter cursor')
})

test('a request that succeeds and breaks the contract drifts, with its test and the place', async () => {
  const listed = find('GET /v1/pets', 200)
  const added = find('POST /v1/pets', 201)
  const { faults } = await judgeTraffic([
    ...described,
    { ...listed, test: 'a.test.ts > a limit', url: listed.url.replace('limit=20', 'limit=999') },
    { ...listed, test: 'a.test.ts > unknown', url: `${listed.url}&page=2` },
    { ...added, test: 'a.test.ts > no name', requestBody: '{"categoryId":1}' },
    { ...added, test: 'a.test.ts > a stranger', requestHeaders: added.requestHeaders.slice(1) },
  ])
  expect(faults).toEqual([
    expect.stringMatching(
      /^drifts from the contract: GET \/v1\/pets\?limit=999\S+ answered 200 in a\.test\.ts > a limit: listPets: Invalid query parameter "limit": .* \(request .*maximum\)$/,
    ),
    expect.stringMatching(/> unknown: listPets: Undocumented query parameter in traffic: "page"/),
    expect.stringMatching(
      /> no name: createPet: Request is missing required field "name"\. \(request \/name .*required\)$/,
    ),
    expect.stringMatching(
      /> a stranger: createPet: Request does not satisfy documented OpenAPI security/,
    ),
  ])
})

test('a request that was refused may break the contract: that is what it was sent for', async () => {
  const refused = find('GET /v1/pets', 400)
  const faulty = { ...refused, url: `${refused.url}&page=2`, requestHeaders: [] }
  expect((await judgeTraffic([...described, faulty])).faults).toEqual([])
})

test.for<[string, Exchange, RegExp]>([
  [
    'a header that is owed is missing',
    change(find('GET /v1/pets', 200), 'X-RateLimit-Limit', undefined),
    /^breaks the contract: GET \/v1\/pets\?\S+ answered 200 in described 200: listPets 200: header X-RateLimit-Limit is missing \(#\/components\/headers\/X-RateLimit-Limit\)$/,
  ],
  [
    'a header has another value',
    change(find('GET /v1/pets', 401), 'Cache-Control', 'public'),
    /listPets 401: header Cache-Control must be equal to constant \(#\/components\/headers\/Cache-Control\/schema\)$/,
  ],
  [
    'a header is no number',
    change(find('POST /v1/pets', 429), 'Retry-After', 'soon'),
    /createPet 429: header Retry-After must be integer/,
  ],
  [
    'a header is not declared',
    change(find('GET /v1/pets', 200), 'X-RateLimit-Policy', '60;w=60'),
    /listPets 200: header X-RateLimit-Policy is not declared here \(it is 60;w=60\)$/,
  ],
  [
    'a header belongs to another answer',
    change(find('POST /v1/pets', 400), 'Retry-After', '1'),
    /createPet 400: header Retry-After is not declared here/,
  ],
  [
    'the body of a 503 has another code',
    { ...find('GET /v1/pets/1', 503), body: '{"code":"not_found","message":"","status":503}' },
    /getPet 503: body\/code must be equal to constant/,
  ],
  [
    'the body of a 500 tells too much',
    {
      ...find('GET /v1/pets/1', 500),
      body: '{"code":"internal_error","message":"","status":500,"stack":"x"}',
    },
    /getPet 500: body must NOT have additional properties/,
  ],
  [
    'a body is no JSON',
    { ...find('GET /v1/pets', 200), body: '<p>' },
    /listPets 200: the body is not JSON$/,
  ],
  [
    'the media type is another',
    change(find('GET /v1/pets', 200), 'Content-Type', 'text/html; charset=utf-8'),
    /listPets 200: media type text\/html is not declared$/,
  ],
  [
    'the status is not declared',
    { ...find('GET /v1/pets', 200), status: 418 },
    /listPets 418: status 418 is not declared$/,
  ],
  [
    'there is a body where none is declared',
    { ...find('GET /v1/pets', 200), method: 'OPTIONS', status: 204 },
    /no operation 204: it has a body, and none is declared$/,
  ],
])('an answer is seen through: %s', ([, exchange, fault]) => {
  expect(judgeAnswers([exchange])).toContainEqual(expect.stringMatching(fault))
})

test('an answer to what cannot be read as HTTP has headers of its own', () => {
  const body = '{"code":"bad_request_framing","message":"Too long.","status":414}'
  const names = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options', 'Content-Type']
  const { headers, ...listed } = find('GET /v1/pets', 200)
  const framed = {
    ...listed,
    status: 414,
    body,
    headers: headers.filter(({ name }) => names.includes(name)),
  }
  expect(judgeAnswers([framed])).toEqual([])
  expect(judgeAnswers([{ ...framed, status: 418 }])).toHaveLength(1)
})
