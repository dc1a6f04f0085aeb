import { expect, test } from 'vitest'
import type { RequestValues } from '../../../server/contract/parameters.ts'
import { json, pathsOf, startKinds } from './support/kinds-service.ts'
import { kinds } from './support/schema-kinds.ts'
import type { SmallOperation } from './support/small-api.ts'

const echo = ({ body }: RequestValues) => ({ status: 200, body })
const requestBody = { required: true, ...json(true) }

/** Three operations of each kind: it is the schema of a request, of a response, and of a sample. */
const operations = kinds.flatMap(({ schema }, index): SmallOperation[] => [
  {
    ...{ method: 'post', path: `/requests/${index}` },
    requestBody: { ...json(schema), required: true },
    response: json(true),
    handler: echo,
  },
  {
    ...{ method: 'post', path: `/responses/${index}` },
    requestBody,
    response: json(schema),
    handler: echo,
  },
  {
    ...{ method: 'get', path: `/samples/${index}` },
    response: json(schema),
    handler: 'sampled',
  },
])

test('values of each kind of schema are accepted and sent, others are rejected and not sent, and samples are valid', async () => {
  const ask = await startKinds(operations)
  for (const [index, { what, valid, invalid }] of kinds.entries()) {
    for (const value of valid) {
      const echoed = { status: 200, body: value }
      const json = JSON.stringify(value)
      expect.soft(await ask(`/requests/${index}`, { json }), what).toEqual(echoed)
      expect.soft(await ask(`/responses/${index}`, { json }), what).toEqual(echoed)
    }
    for (const [value, pointer] of invalid) {
      const json = JSON.stringify(value)
      const { status, body } = await ask(`/requests/${index}`, { json })
      expect.soft([status, pathsOf(body)], `${what}: ${json}`).toEqual([400, [`/body${pointer}`]])
      const sent = await ask(`/responses/${index}`, { json })
      expect.soft(sent.status, `${what}: ${json}`).toBe(500)
    }
    expect.soft((await ask(`/samples/${index}`)).status, what).toBe(200)
  }
})

test('the error of a body names the value that a constant allows', async () => {
  const constants = ['drill', 1.5, null, { a: [true] }]
  const ask = await startKinds(
    constants.map((value, index): SmallOperation => {
      const schema = { properties: { of: { const: value } } }
      return {
        ...{ method: 'post', path: `/constants/${index}` },
        requestBody: { ...json(schema), required: true },
        response: json(true),
        handler: echo,
      }
    }),
  )
  const messages = ['must be drill', 'must be 1.5', 'must be null', 'must be {"a":[true]}']
  for (const [index, message] of messages.entries()) {
    const { status, body } = await ask(`/constants/${index}`, { json: '{"of":"saw"}' })
    const details = [{ path: '/body/of', message }]
    expect.soft({ status, body }, message).toMatchObject({ status: 400, body: { details } })
  }
})
