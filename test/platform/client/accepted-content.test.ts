import { expect, test } from 'vitest'
import {
  acceptRules,
  createAccepted,
  createJson,
  createText,
  readAccepted,
} from '../../../client/accepted-content.ts'
import { createClient } from '../../../client/client.ts'
import { createDownload } from '../../../client/downloads.ts'
import { ApiError } from '../../../client/errors.ts'
import { createEventStream, eventRules } from '../../../client/event-stream.ts'
import { createLinkedList } from '../../../client/link-pages.ts'
import type { ClientOperation } from '../../helpers/client-operations.ts'
import { apiKey, baseUrl, fail, type Respond, reasonOf } from './support/client.ts'
import { collect, sendParts } from './support/content-client.ts'

interface Reports {
  readonly raw: unknown
  // The types of the methods are those of their media types: `test/platform/types/cases`.
  getReport(options?: object): Promise<unknown> & AsyncIterable<unknown> & { stream(): unknown }
  listRows(query?: object, options?: object): Promise<unknown> & AsyncIterable<unknown>
}

const events = 'text/event-stream'
const responses = {
  accepted: {
    'application/json': {},
    'text/csv; charset=utf-8': { create: createText },
    'application/vnd.a+json': { create: createJson },
    'application/pdf': { create: createDownload },
    [events]: { items: { type: events, json: true }, create: createEventStream },
  },
  empty: [202],
  read: readAccepted,
  createResult: createAccepted,
}
const options = [acceptRules, eventRules]
const operations = {
  getReport: { method: 'get', path: '/report', options, responses },
  listRows: {
    ...{ method: 'get', path: '/rows', query: true, options, responses },
    pages: { style: 'link', parameter: 'cursor', createList: createLinkedList },
  },
} satisfies Record<string, ClientOperation>

/** Creates a client whose `fetch` is one function for each request. */
function createReports(...script: readonly Respond[]) {
  const requests: Request[] = []
  const fetch = async (request: Request) => {
    const number = requests.push(request)
    return script[number - 1]?.(request, number) ?? Response.error()
  }
  const given = { baseUrl, apiKey, maxRetryDelay: 0, fetch }
  return { client: createClient<Reports>(given, operations, ApiError), requests }
}

const send = (text: string, type: string) => sendParts([text], 'end', type)

test('a call gets JSON, or the media type that it chooses', async () => {
  const { client, requests } = createReports(
    send('{"a":1}', 'application/json'),
    send('a,b', 'text/csv'),
    send('[2]', 'application/vnd.a+json; charset=utf-8'),
    send('%PDF', 'application/pdf'),
    send('data: 3\n\n', events),
  )
  expect(await client.getReport()).toEqual({ a: 1 })
  expect(await client.getReport({ accept: 'text/csv; charset=utf-8' })).toBe('a,b')
  expect(await client.getReport({ accept: 'application/vnd.a+json' })).toEqual([2])
  const pdf = await client.getReport({ accept: 'application/pdf', headers: { 'X-A': 'b' } })
  expect(await new Response(pdf as Blob).text()).toBe('%PDF')
  const { items } = await collect(client.getReport({ accept: events }))
  expect(items).toEqual([3])

  expect(requests.map(({ headers }) => headers.get('accept'))).toEqual([
    null,
    'text/csv; charset=utf-8',
    'application/vnd.a+json',
    'application/pdf',
    events,
  ])
  expect(requests[3]?.headers.get('x-a')).toBe('b')
})

test('a list has pages of JSON, and is another media type as a whole', async () => {
  const { client } = createReports(send('[1]', 'application/json'), send('1', 'text/csv'))
  expect((await collect(client.listRows())).items).toEqual([1])
  expect(await client.listRows({}, { accept: 'text/csv; charset=utf-8' })).toBe('1')
})

test('a text that breaks off is requested again', async () => {
  const broken = sendParts(['a'], 'break', 'text/csv')
  const { client, requests } = createReports(broken, send('a,b', 'text/csv'))
  expect(await client.getReport({ accept: 'text/csv; charset=utf-8' })).toBe('a,b')
  expect(requests).toHaveLength(2)
})

test.each(['text/csv; charset=utf-8', 'application/vnd.a+json', 'application/pdf'])(
  'in %s, a status without content is undefined, and an error is that of the response',
  async (accept) => {
    const empty = () => new Response(null, { status: 202 })
    const { client } = createReports(empty, fail(404))
    expect(await client.getReport({ accept })).toBeUndefined()
    const reason = await reasonOf(client.getReport({ accept }))
    expect(reason).toMatchObject({ code: 'code_404', status: 404 })
  },
)

test('another media type than the chosen one is an unexpected response', async () => {
  const json = () => send('[1]', 'application/json')
  const { client } = createReports(json(), json(), send('{', 'application/vnd.a+json'))
  for (const [accept, message] of [
    ['text/csv; charset=utf-8', /, not text\/csv/],
    ['application/pdf', /, not application\/pdf/],
    ['application/vnd.a+json', /, not JSON/],
  ] as const) {
    const reason = await reasonOf(client.getReport({ accept }))
    expect(reason).toMatchObject({
      code: 'unexpected_response',
      message: expect.stringMatching(message),
    })
  }
})

test('a stream of another media type than the chosen one is cancelled, and is an error', async () => {
  let cancelled = 0
  const endless = sendParts(['[1]'], 'stay', 'application/json', () => cancelled++)
  const { client } = createReports(endless, endless)
  const bytes = client.getReport({ accept: 'application/pdf' }).stream()
  await expect(bytes).rejects.toMatchObject({ code: 'unexpected_response' })
  const items = await collect(client.getReport({ accept: events }))
  expect(items).toMatchObject({ items: [], error: { code: 'unexpected_response' } })
  expect(cancelled).toBe(2)
})

test('a media type that the contract does not have is a TypeError, and no request', async () => {
  const { client, requests } = createReports()
  for (const accept of ['text/html', 'toString']) {
    const reason = await reasonOf(client.getReport({ accept }))
    expect(reason).toBeInstanceOf(TypeError)
    expect(reason).toMatchObject({
      message: expect.stringContaining(`has no media type ${accept}. Allowed: application/json, `),
    })
  }
  expect(requests).toEqual([])
})
