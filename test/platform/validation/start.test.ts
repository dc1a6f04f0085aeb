import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { assertServable } from '../../../server/contract/start-up-checks.ts'
import { fixtureWith } from '../../helpers/fixture-with.ts'

const { description, operations } = fixtureWith()
const names = Object.keys(operations)
const handlers = Object.fromEntries(names.map((name) => [name, () => ({ status: 200 })]))
const { getTool: _handler, ...handlersButOne } = handlers
const getTool = Object(operations['getTool'])
const right = { description, operations, handlers }
const apiKey = { type: 'http', scheme: 'basic' }

test.for([
  ['OpenAPI 3.0', { description: { ...description, openapi: '3.0.3' } }, /3\.0\.3/],
  [
    'a security scheme of another kind',
    { description: { ...description, components: { securitySchemes: { apiKey } } } },
    /security scheme apiKey/,
  ],
  [
    'an operation that requires a scope',
    { operations: { ...operations, getTool: { ...getTool, security: [{ apiKey: ['admin'] }] } } },
    /getTool asks for the scope admin/,
  ],
  ['an operation without a handler', { handlers: handlersButOne }, /getTool has no handler/],
] as const)('%s: the service does not start, and says why', ([, wrong, message]) => {
  const { description, operations, handlers } = { ...right, ...wrong }
  expect(() => assertServable(description, operations, handlers)).toThrow(message)
})

test('neither the pipeline nor the contract at run time names anything of the animal store', () => {
  for (const folder of ['../../../server/contract/', '../../../scripts/']) {
    const url = new URL(folder, import.meta.url)
    for (const file of readdirSync(url, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue
      const named = readFileSync(new URL(file, url), 'utf8').match(/\b(?:\w*pets?|animals?)\b/gi)
      expect({ file, named }).toEqual({ file, named: null })
    }
  }
})
