import { expect, test } from 'vitest'
import * as client from '../../client/index.ts'
import type { Operation } from '../../client/operation.ts'
import { createQueries } from '../../client/react-query.ts'
import { createMockHandlers } from '../../client/testing.ts'
import { calls } from '../../generated/calls.ts'

/** What `client/index.ts` exports, by name. */
const exported: readonly (readonly [name: string, value: unknown])[] = Object.entries(client)

/** Creates a client with each exported function that creates one. */
function createClients(): readonly unknown[] {
  const functions = exported.filter(([name]) => name.startsWith('create') && name !== 'createPacer')
  const options = { baseUrl: 'https://host.example', apiKey: 'secret' }
  return functions.map(([, create]) => {
    return typeof create === 'function' ? Reflect.apply(create, undefined, [options]) : undefined
  })
}

test('client/index.ts exports a function that creates a client with a method for each operation', () => {
  const clients = createClients().map((each) => (each instanceof Object ? Object.keys(each) : []))
  expect(clients).toEqual([[...Object.keys(calls), 'raw']])
})

test('client/react-query.ts has options for each operation but streams of items', () => {
  const rows: Readonly<Record<string, Operation>> = calls
  const streams = Object.keys(rows).filter((name) => rows[name]?.responses?.items)
  const [client] = createClients()
  const queries = Reflect.apply(createQueries, undefined, [client])
  expect([...Object.keys(queries), ...streams].sort()).toEqual(Object.keys(calls).sort())
})

test('client/index.ts exports the class of its errors, which have its name', () => {
  const classes = exported.filter(([name]) => name.endsWith('Error'))
  const fields = { operationId: 'call', code: 'timeout', attempts: 1 }
  const errors = classes.map(([, ErrorClass]) => {
    const values = ['No response.', fields]
    return typeof ErrorClass === 'function' ? Reflect.construct(ErrorClass, values) : undefined
  })
  expect(errors).toEqual([expect.any(Error)])
  expect(errors).toMatchObject([{ ...fields, name: classes[0]?.[0], message: 'No response.' }])
})

test('client/testing.ts has a mock handler for each operation', () => {
  expect(createMockHandlers('https://host.example')).toHaveLength(Object.keys(calls).length)
})
