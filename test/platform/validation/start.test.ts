import { expect, test } from 'vitest'
import { sampled } from '../../../server/contract/handler.ts'
import { type Changes, startFixtureWith } from '../../helpers/fixture-service.ts'

const session = { type: 'apiKey', in: 'cookie', name: 'session' }
const getTool = { security: [{ unknown: [] }] }

const rejected: readonly (readonly [what: string, changes: Changes, message: RegExp])[] = [
  [
    'another version of OpenAPI',
    { edit: (description) => Object.assign(description, { openapi: '3.9.0' }) },
    /3\.9\.0/,
  ],
  [
    'a security scheme without an authenticator',
    { edit: ({ components }) => Object.assign(components.securitySchemes, { session }) },
    /security scheme session has no authenticator/,
  ],
  [
    'an operation that requires an undescribed security scheme',
    { operations: { getTool } },
    /getTool requires unknown/,
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
