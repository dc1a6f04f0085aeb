import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startTestService, type TestService } from '../support/service.ts'

const animal = '{"name":"Rex","categoryId":7}'

function post(
  { send, apiKey }: TestService,
  body: BodyInit | null,
  headers: Record<string, string> = {},
) {
  const usual = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  return send('/v1/pets', { method: 'POST', body, headers: { ...usual, ...headers } })
}

/** An animal whose JSON has exactly so many bytes. */
function animalOf(bytes: number): string {
  return animal + ' '.repeat(bytes - animal.length)
}

test.each([
  ['gzip', gzipSync(animal), 201],
  ['x-gzip', gzipSync(animal), 201],
  ['GZIP', gzipSync(animal), 201],
  ['br', brotliCompressSync(animal), 201],
  ['identity', Buffer.from(animal), 201],
  ['deflate', deflateSync(animal), 415],
  ['zstd', Buffer.from(animal), 415],
  ['gzip, gzip', gzipSync(gzipSync(animal)), 415],
  ['gzip', Buffer.from(animal), 400],
  ['br', Buffer.from(animal), 400],
  ['gzip', gzipSync(animal).subarray(0, 20), 400],
  ['', Buffer.from(animal), 201],
  ['gzip', Buffer.concat([gzipSync(animal.slice(0, 9)), gzipSync(animal.slice(9))]), 201],
  ['gzip', Buffer.concat([gzipSync(animal), Buffer.alloc(3)]), 400],
  ['gzip', Buffer.concat([gzipSync(animal), Buffer.alloc(1), gzipSync(' ')]), 400],
  ['gzip', Buffer.concat([gzipSync(animal), Buffer.from('more')]), 400],
  ['gzip', Buffer.concat([gzipSync(animal), gzipSync(' ').subarray(0, 5)]), 400],
  ['br', Buffer.concat([brotliCompressSync(animal), Buffer.from('more')]), 400],
  ['br', Buffer.concat([brotliCompressSync(animal), Buffer.alloc(1)]), 400],
  ['gzip', gzipSync(Buffer.alloc(10_000_000)), 413],
  ['br', brotliCompressSync(Buffer.alloc(10_000_000)), 413],
  ['gzip', gzipSync(animalOf(100_000)), 201],
  ['gzip', gzipSync(animalOf(100_001)), 413],
])('content coding %s, case %#, is answered with its status', async (coding, body, status) => {
  const service = await startTestService()
  const response = await post(service, new Uint8Array(body), { 'Content-Encoding': coding })
  expect(response.status).toBe(status)
  if (status === 415) expect(response.headers.get('accept-encoding')).toBe('gzip, br')
  if (status !== 201) {
    const codes: Record<number, string> = { 400: 'malformed_json', 413: 'payload_too_large' }
    const code = codes[status] ?? 'unsupported_media_type'
    expect(await response.json()).toMatchObject({ status, code })
    expect(await service.client.listPets()).toEqual([])
  }
})

test('a body of 100,000 bytes is taken, one more is too large, with and without a length', async () => {
  const service = await startTestService()
  const stream = (text: string) => new Blob([text]).stream()
  const chunked = (text: string) =>
    service.send('/v1/pets', {
      method: 'POST',
      body: stream(text),
      duplex: 'half',
      headers: { Authorization: `Bearer ${service.apiKey}`, 'Content-Type': 'application/json' },
    })
  expect((await post(service, animalOf(100_000))).status).toBe(201)
  expect((await chunked(animalOf(100_000))).status).toBe(201)
  for (const response of [
    await post(service, animalOf(100_001)),
    await chunked(animalOf(100_001)),
    await chunked(animalOf(5_000_000)),
  ]) {
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'payload_too_large', status: 413 })
  }
  expect(await service.client.listPets()).toHaveLength(2)
})

test('many small gzip members cannot smuggle in more than 100,000 bytes', async () => {
  const service = await startTestService()
  const empty = gzipSync('', { level: constants.Z_NO_COMPRESSION })
  const body = Buffer.concat([gzipSync(animal), ...Array<Buffer>(6_000).fill(empty)])
  expect(body.length).toBeGreaterThan(100_000)
  const response = await post(service, new Uint8Array(body), { 'Content-Encoding': 'gzip' })
  expect(response.status).toBe(413)
})

test('whoever has no key is refused before the body is read, however large or broken it is', async () => {
  const { send, client, apiKey } = await startTestService()
  const huge = Buffer.alloc(20_000_000, '{')
  const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`
  for (const body of ['{', '', huge]) {
    for (const headers of [{}, { Authorization: `Bearer ${wrong}` }]) {
      const response = await send('/v1/pets', { method: 'POST', body, headers })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ status: 401 })
    }
  }
  expect(await client.listPets()).toEqual([])
})

test('an error repeats no more than 100 characters of a request, and lists no more than 100 faults', async () => {
  const service = await startTestService()
  const long = `${'🦊'.repeat(2_000)}`
  const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`field${at}`, 1]))
  for (const body of [{ [long]: 1 }, { status: long }, fields]) {
    const response = await post(service, JSON.stringify(body))
    const text = await response.text()
    const { details } = JSON.parse(text)
    expect(response.status).toBe(400)
    expect(details.length).toBeLessThanOrEqual(100)
    expect(text.match(/🦊/gu)?.length ?? 0).toBeLessThanOrEqual(100)
    expect(text.isWellFormed()).toBe(true)
  }
})
