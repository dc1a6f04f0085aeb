import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { exchangeBytes } from '../support/raw.ts'
import { startTestService } from '../support/service.ts'
import { malformedTexts } from './support/malformed-texts.ts'

test('a text that is none is told so, with its place, however it is packed', async () => {
  const { send, apiKey, client } = await startTestService()
  const packed = { identity: (bytes: Buffer) => bytes, gzip: gzipSync, br: brotliCompressSync }
  for (const [what, bytes, code, path, told] of malformedTexts) {
    for (const [coding, pack] of Object.entries(packed)) {
      const headers = {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json; charset=utf-16',
        'Content-Encoding': coding,
      }
      const body = new Uint8Array(pack(bytes))
      const answer = await send('/v1/pets', { method: 'POST', headers, body })
      const text = await answer.text()
      expect(text.length, what).toBeLessThan(500)
      const message = expect.stringMatching(told)
      expect(JSON.parse(text), what).toMatchObject({
        status: 400,
        code,
        details: [{ path, message }],
      })
    }
  }
  expect(await client.listPets()).toEqual([])
  expect(Reflect.get({}, 'status')).toBeUndefined()
})

test('a body in chunks of a byte is one body, and is bounded like one', async () => {
  const { origin, apiKey, client } = await startTestService()
  const bytes = Buffer.from(JSON.stringify({ name: '🐶'.repeat(900), categoryId: 1 })).toString(
    'latin1',
  )
  const head = `POST /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const inChunks = (text: string) => Array.from(text, (byte) => `1\r\n${byte}\r\n`).join('')
  const taken = await exchangeBytes(origin, `${head}${inChunks(bytes)}0\r\n\r\n`)
  expect(taken.status).toBe(201)
  const large = bytes + ' '.repeat(100_001 - bytes.length)
  const refused = await exchangeBytes(origin, `${head}${inChunks(large)}0\r\n\r\n`)
  expect(refused.status).toBe(413)
  expect((await client.listPets()).map(({ name }) => name)).toEqual(['🐶'.repeat(900)])
})
