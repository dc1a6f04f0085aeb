import { expect, test, vi } from 'vitest'
import { json, recordClient } from './support/client.ts'

// Rows that no operation on pets has.
vi.mock('../../generated/calls.ts', () => ({
  calls: {
    change: { method: 'patch', path: '/a/{id}', body: 'application/merge-patch+json' },
    archive: { method: 'post', path: '/archive', empty: [202] },
  },
}))

type Call = (...values: unknown[]) => Promise<unknown>

function operationsOf(store: object): { readonly change: Call; readonly archive: Call } {
  return Object(store)
}

test('a body is sent with the media type that is declared', async () => {
  const { store, requests } = recordClient(() => json({ id: 1 }))
  expect(await operationsOf(store).change(1, { name: null })).toEqual({ id: 1 })
  expect(requests[0]?.headers.get('content-type')).toBe('application/merge-patch+json')
})

test('a content type of the call is sent unchanged', async () => {
  const { store, requests } = recordClient(() => json({ id: 1 }))
  const headers = { 'Content-Type': 'application/json-patch+json' }
  await operationsOf(store).change(1, [], { headers })
  expect(requests[0]?.headers.get('content-type')).toBe('application/json-patch+json')
})

test('a success that is declared without content is undefined, any other one without it an error', async () => {
  const respond = (status: number) => [() => new Response(null, { status })]
  const { archive } = operationsOf(recordClient(respond(202)).store)
  expect(await archive()).toBeUndefined()
  const { archive: other } = operationsOf(recordClient(respond(201)).store)
  await expect(other()).rejects.toMatchObject({ code: 'unexpected_response', status: 201 })
})
