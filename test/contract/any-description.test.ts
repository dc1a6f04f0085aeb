import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createContract } from '../../server/contract/contract.ts'
import { echo, handlers, serveWorkshop } from '../support/workshop.ts'
import { description, operations } from '../support/workshop-description.ts'

test('another description is served by the same code', async () => {
  const { get } = await serveWorkshop({ listTools: echo, allTools: echo })
  const answer = async (path: string) => {
    const response = await get(path)
    return [response.status, await response.json()]
  }
  const part = { path: { name: 'saw', part: 7 }, query: {}, headers: {}, cookies: {} }
  expect(await answer('/tools/saw/parts/7.json')).toEqual([200, part])
  expect(await answer('/tools/a%20b%2Fc')).toEqual([
    200,
    { path: { name: 'a b/c' }, query: {}, headers: {}, cookies: {} },
  ])
  expect(await answer('/tools/all')).toEqual([
    200,
    { path: {}, query: {}, headers: {}, cookies: {} },
  ])
  expect((await get('/tools/saw/parts/x.json')).status).toBe(400)
  expect((await get('/tools/saw/parts/7')).status).toBe(404)
})

test.each([
  ['a=1', 400],
  ['tags=a', 200],
  ['tags=a&tags=b', 200],
  ['tags=a&tags=b&tags=c&tags=d', 400],
])('an array in a query may be repeated: %s is %i', async (query, status) => {
  const { get } = await serveWorkshop()
  expect((await get(`/tools?${query}`)).status).toBe(status)
})

test.each([
  ['', 200],
  ['bench=7', 200],
  ['other=x; bench=7; more=y', 200],
  ['bench=0', 400],
  ['bench=0x7', 400],
  ['bench=7; bench=8', 400],
])('the cookies %j lead to %i', async (cookie, status) => {
  const { get } = await serveWorkshop()
  expect((await get('/tools', { Cookie: cookie })).status).toBe(status)
})

test('so many digits that they make an infinity are no number', async () => {
  const { get } = await serveWorkshop()
  const refused = await get(`/tools/saw/parts/${'9'.repeat(400)}.json`)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({
    details: [{ path: '/path/part', message: 'must not be beyond double precision' }],
  })
})

const options = {
  description,
  isLinted: false,
  operations,
  basePath: '',
  handlers,
  authenticates: { badge: { type: 'http', scheme: 'bearer' } },
  waivedHeaders: [],
}
const { getTool: _, ...withoutOne } = handlers

const unresolved = { ...description, components: { schemas: { A: { $ref: '#/nowhere' } } } }
const badPattern = { ...description, components: { schemas: { A: { pattern: '(' } } } }

test.each([
  ['a reference to nowhere', { description: unresolved }, /not valid OpenAPI.*nowhere/],
  ['a pattern that is none', { description: badPattern }, /not valid OpenAPI.*schemas\/A/],
  ['an unchecked security scheme', { authenticates: {} }, /security scheme badge/],
  [
    'a security scheme of another kind',
    { authenticates: { badge: { type: 'http', scheme: 'basic' } } },
    /security scheme badge/,
  ],
  [
    'an operation that asks for a scope',
    {
      operations: {
        ...operations,
        getTool: { ...operations.getTool, security: [{ badge: ['admin'] }] },
      },
    },
    /getTool asks for the scope admin/,
  ],
  ['an operation without a handler', { handlers: withoutOne }, /getTool has no handler/],
  ['OpenAPI 3.0', { description: { ...description, openapi: '3.0.3' } }, /3\.0\.3/],
  [
    'an invalid description',
    { description: { ...description, paths: 1 } },
    /not valid OpenAPI: \/paths/,
  ],
  [
    'a table without an operation',
    { operations: { listTools: operations.listTools } },
    /missing from the table.*npm run generate/,
  ],
  [
    'a description without an operation',
    { description: { ...description, paths: {} } },
    /lacks operation.*npm run generate/,
  ],
])('%s does not start, and says what to do', async (_name, wrong, message) => {
  await expect(createContract({ ...options, ...wrong })).rejects.toThrow(message)
})

test('neither the pipeline nor the contract at run time names anything of the animal store', () => {
  for (const folder of ['../../server/contract/', '../../scripts/']) {
    const url = new URL(folder, import.meta.url)
    for (const file of readdirSync(url, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts')) continue
      const named = readFileSync(new URL(file, url), 'utf8').match(/\b(?:\w*pets?|animals?)\b/gi)
      expect({ file, named }).toEqual({ file, named: null })
    }
  }
})
