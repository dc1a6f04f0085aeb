import { expect, test, vi } from 'vitest'
import { recordClient } from './support/client.ts'

// Rows that no operation on pets has.
vi.mock('../../../generated/calls.ts', () => ({
  calls: {
    change: { method: 'patch', path: '/a/{id}', body: 'application/merge-patch+json' },
    archive: { method: 'post', path: '/archive', empty: [202] },
  },
}))

type Call = (...values: unknown[]) => Promise<unknown>

function operationsOf(store: object): { readonly change: Call; readonly archive: Call } {
  return Object(store)
}

test('a body is sent with the media type that is declared, or that of the call', async () => {
  const { store, requests } = recordClient(() => Response.json({ id: 1 }))
  const { change } = operationsOf(store)
  expect(await change(1, { name: null })).toEqual({ id: 1 })
  await change(1, [], { headers: { 'Content-Type': 'application/json-patch+json' } })
  const types = requests.map(({ headers }) => headers.get('content-type'))
  expect(types).toEqual(['application/merge-patch+json', 'application/json-patch+json'])
})

test('a success that is declared without content is undefined, any other one without it an error', async () => {
  const respond = (status: number) => [() => new Response(null, { status })]
  const { archive } = operationsOf(recordClient(respond(202)).store)
  expect(await archive()).toBeUndefined()
  const { archive: other } = operationsOf(recordClient(respond(201)).store)
  await expect(other()).rejects.toMatchObject({ code: 'unexpected_response', status: 201 })
})
