import { expect, test } from 'vitest'
import { type Changes, startFixtureWith } from '../../helpers/fixture-service.ts'

const apiKey = { type: 'http', scheme: 'basic' }
const getTool = { security: [{ apiKey: ['admin'] }] }

const rejected: readonly (readonly [what: string, changes: Changes, message: RegExp])[] = [
  [
    'OpenAPI 3.0',
    { edit: (description) => Object.assign(description, { openapi: '3.0.3' }) },
    /3\.0\.3/,
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
