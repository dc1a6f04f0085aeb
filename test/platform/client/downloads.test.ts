import { expect, test } from 'vitest'
import { createClient } from '../../../client/client.ts'
import { createDownload, type DownloadResult, readDownload } from '../../../client/downloads.ts'
import { ApiError } from '../../../client/errors.ts'
import { streamRules } from '../../../client/item-stream.ts'
import { readText } from '../../../client/text-content.ts'
import type { CallResult } from '../../../client/types.ts'
import { apiKey, baseUrl, fail, type Respond, reasonOf } from './support/client.ts'
import { sendParts } from './support/content-client.ts'

interface Files {
  readonly raw: unknown
  getPhoto(options?: object): Promise<Blob | undefined> & DownloadResult
  getReport(options?: object): Promise<unknown> & DownloadResult
  getTable(options?: object): Promise<string> & CallResult
}

const bytes = { read: readDownload, createResult: createDownload }
const operations = {
  getPhoto: { method: 'get', path: '/photo', options: [streamRules], responses: bytes },
  getReport: { method: 'get', path: '/report', responses: { ...bytes, json: true, empty: [205] } },
  getTable: { method: 'get', path: '/table', responses: { read: readText, empty: [202] } },
}

/** Creates a client whose `fetch` is one function for each request. */
function createFiles(...script: readonly Respond[]) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    const respond = script[requests.push(request) - 1]
    return respond?.(request, requests.length) ?? Response.error()
  }
  const options = { baseUrl, apiKey, maxRetryDelay: 0, fetch }
  return { client: createClient<Files>(options, operations, ApiError), requests }
}

const photo = [new Uint8Array([0, 255]), new Uint8Array([128])]

test('bytes are a Blob of their media type', async () => {
  const json = () => Response.json({ a: 1 })
  const { client } = createFiles(sendParts(photo, 'end', 'image/png'), json)
  const { data, response } = await client.getPhoto().withResponse()
  expect([data?.size, data?.type, response.status]).toEqual([3, 'image/png', 200])
  expect(new Uint8Array((await data?.arrayBuffer()) ?? [])).toEqual(new Uint8Array([0, 255, 128]))
  // A photo is never a JSON value.
  const other = await client.getPhoto()
  expect([await other?.text(), other?.type]).toEqual(['{"a":1}', 'application/json'])
})

test('bytes that break off are requested again, but not those of a stream', async () => {
  const broken = sendParts(photo, 'break', 'image/png')
  const whole = createFiles(broken, sendParts(photo, 'end', 'image/png'))
  expect((await whole.client.getPhoto())?.size).toBe(3)

  const parts = createFiles(broken)
  const stream = await parts.client.getPhoto().stream()
  const reader = stream.getReader()
  expect((await reader.read()).value).toEqual(photo[0])
  await reader.read()
  await expect(reader.read()).rejects.toMatchObject({
    code: 'network_error',
    operationId: 'getPhoto',
  })
  expect(parts.requests).toHaveLength(1)
})

test('a stream begins before its last byte has arrived, and is not read ahead', async () => {
  let cancelled = 0
  const endless = sendParts(photo, 'stay', 'image/png', () => cancelled++)
  const { client } = createFiles(endless)
  const { data, response } = await client.getPhoto().stream().withResponse()
  expect(response.headers.get('content-type')).toBe('image/png')
  const reader = data.getReader()
  expect((await reader.read()).value).toEqual(photo[0])
  await reader.cancel()
  expect(cancelled).toBe(1)
})

test('a signal and an idle timeout end a stream', async () => {
  const controller = new AbortController()
  const endless = sendParts(photo, 'stay', 'image/png')
  const { client } = createFiles(endless, endless)
  const stream = await client.getPhoto({ signal: controller.signal }).stream()
  const reader = stream.getReader()
  const reading = Promise.all([reader.read(), reader.read(), reader.read()])
  const reason = new Error('The user went away.')
  controller.abort(reason)
  await expect(reading).rejects.toBe(reason)

  const idle = (await client.getPhoto({ idleTimeout: 10 }).stream()).getReader()
  const all = Promise.all([idle.read(), idle.read(), idle.read()])
  await expect(all).rejects.toMatchObject({ code: 'timeout' })
})

test('a download has the errors and retries of any call', async () => {
  const { client, requests } = createFiles(fail(503), fail(404), fail(404))
  expect(await reasonOf(client.getPhoto())).toMatchObject({ code: 'code_404', status: 404 })
  expect(requests).toHaveLength(2)
  expect(await reasonOf(client.getPhoto().stream())).toMatchObject({ status: 404 })
})

test('JSON, or no content, beside bytes is what it is', async () => {
  const none = () => new Response(null, { status: 205 })
  const { client } = createFiles(() => Response.json({ state: 'queued' }), none, none)
  expect(await client.getReport()).toEqual({ state: 'queued' })
  expect(await client.getReport()).toBeUndefined()
  // A photo must have content.
  expect((await client.getPhoto())?.size).toBe(0)
})

test('text is a string, also an empty one', async () => {
  const headers = { 'Content-Type': 'text/csv' }
  const { client } = createFiles(
    () => new Response('a,b\n', { headers }),
    () => new Response('', { headers: { ...headers, 'Content-Length': '0' } }),
    () => new Response(null, { status: 202 }),
    fail(404),
  )
  expect([await client.getTable(), await client.getTable(), await client.getTable()]).toEqual([
    'a,b\n',
    '',
    undefined,
  ])
  await expect(client.getTable()).rejects.toMatchObject({ status: 404 })
})
