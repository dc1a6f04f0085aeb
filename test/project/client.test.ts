import { expect, test } from 'vitest'
import * as client from '../../client/index.ts'
import { createMockHandlers } from '../../client/testing.ts'
import { calls } from '../../generated/calls.ts'

/** What `client/index.ts` exports, by name. */
const exported: readonly (readonly [name: string, value: unknown])[] = Object.entries(client)

test('client/index.ts exports a function that creates a client with a method for each operation', () => {
  const functions = exported.filter(([name]) => name.startsWith('create') && name !== 'createPacer')
  const options = { baseUrl: 'https://host.example', apiKey: 'secret' }
  const clients = functions.map(([, create]) => {
    return typeof create === 'function' ? Reflect.apply(create, undefined, [options]) : undefined
  })
  expect(clients.map(Object.keys)).toEqual([[...Object.keys(calls), 'raw']])
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
