import { expect, test } from 'vitest'
import { sampled } from '../../../server/contract/handler.ts'
import { type Changes, startFixtureWith } from '../../helpers/fixture-service.ts'

const apiKey = { type: 'http', scheme: 'basic' }
const getTool = { security: [{ apiKey: ['admin'] }] }

const rejected: readonly (readonly [what: string, changes: Changes, message: RegExp])[] = [
  [
    'another version of OpenAPI',
    { edit: (description) => Object.assign(description, { openapi: '3.9.0' }) },
    /3\.9\.0/,
  ],
  [
    'a security scheme of another kind',
    { edit: ({ components }) => Object.assign(components.securitySchemes, { apiKey }) },
    /security scheme apiKey/,
  ],
  [
    'an operation that requires a scope',
    { operations: { getTool } },
    /getTool asks for the scope admin/,
  ],
]

test.for(rejected)('%s: the service does not start, and says why', async ([, changes, message]) => {
  await expect(startFixtureWith(changes)).rejects.toThrow(message)
})

const withoutHandlers: Changes = { handlers: { getTool: sampled, deleteTool: sampled } }

test.for([{ NODE_ENV: 'production' }, { SAMPLES: 'off' }])(
  'operations without a handler, with %o: the service does not start, and names them',
  async (environment) => {
    await expect(startFixtureWith(withoutHandlers, environment)).rejects.toThrow(
      /^Operations without a handler: getTool, deleteTool\. Write their handlers, or set SAMPLES=on /,
    )
  },
)

test.for([{}, { NODE_ENV: 'production', SAMPLES: 'on' }])(
  'operations without a handler, with %o: they respond with samples',
  async (environment) => {
    const { send, logged } = await startFixtureWith(withoutHandlers, environment)
    expect((await send('/lending/v2/tools/1', { method: 'DELETE' })).status).toBe(204)
    expect(logged).toContainEqual(
      expect.objectContaining({
        msg: 'operations without a handler: sending samples',
        operations: ['getTool', 'deleteTool'],
      }),
    )
  },
)

test('SAMPLES=off, and production, change nothing if every operation has a handler', async () => {
  const { send } = await startFixtureWith({}, { NODE_ENV: 'production', SAMPLES: 'off' })
  expect((await send('/lending/v2/tools')).status).toBe(200)
})
