import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { Sources } from '../../../scripts/pipeline/sources.ts'
import { writeFiles } from '../../helpers/compiled-api.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'

const ok = { 200: { description: 'OK' } }
const description = {
  openapi: '3.1.0',
  info: { title: 'A', version: '2024-05' },
  paths: {
    '/users/{id}': { get: { operationId: 'users.get-one', responses: ok } },
    '/users': { get: { responses: ok }, trace: { operationId: 'Trace', responses: ok } },
  },
}
const serviceFile = `version: 1.4.0
operations:
  GET /users/{id}:
    name: getUser
  GET /users: { name: listUsers }
`

function write(text: string, root: object = description): string {
  return join(writeFiles({ 'openapi.yaml': root, 'service.yaml': text }), 'openapi.yaml')
}

test('operations have the names of service.yaml in code, and their own operationId in the contract', async () => {
  const { artifacts } = await compile(write(serviceFile), 'minimal')
  const { paths, info }: UncheckedJson = JSON.parse(artifacts.get('openapi.json') ?? '')
  expect(info.version).toBe('2024-05')
  expect(paths['/users/{id}'].get).toEqual({
    'x-operation-name': 'getUser',
    ...description.paths['/users/{id}'].get,
  })
  expect(paths['/users'].get).toEqual({ 'x-operation-name': 'listUsers', responses: ok })

  expect(artifacts.get('operations.ts')).toMatch(/"getUser": \{\s+"operationId": "getUser"/)
  expect(artifacts.get('operations.ts')).toContain(
    'export const settings = {\n  "version": "1.4.0"\n} as const',
  )
  expect(artifacts.get('openapi.d.ts')).toMatch(/^ +getUser: \{$/m)
  expect(artifacts.get('openapi.d.ts')).toMatch(/^ +listUsers: \{$/m)
  expect(artifacts.get('calls.ts')).toMatch(/^ +getUser\($/m)
})

test('an operation that is not served has a row with the reason, and no method of the client', async () => {
  const { artifacts, unserved } = await compile(write(serviceFile), 'minimal')
  const reason = 'proxies and browsers reject TRACE'
  expect(unserved).toContain(`  TRACE /users: ${reason}`)
  expect(artifacts.get('operations.ts')).toContain(`"unserved": "${reason}"`)
  expect(artifacts.get('calls.ts')).not.toContain('Trace')
})

test('releases have the version of service.yaml', () => {
  const sources = new Sources(write(serviceFile))
  expect(sources.version).toBe('1.4.0')
  expect(sources.versionLocation).toEqual({
    at: expect.stringMatching(/service\.yaml:1:10$/),
    key: 'version',
  })
  expect(new Sources(write('')).version).toBe('2024-05')
})

test.for([
  ['version: 1.4', /service\.yaml:1:10 service-file version must be string\.$/],
  ['version: 2024-05', /:1:10 service-file version is three numbers, such as 1\.4\.0\.$/],
  ['versions: 1.4.0', /:1:11 service-file There is no setting versions; there are version, /],
  [
    'operations:\n  GET /users: { name: list-users }',
    /:2:23 service-file operations\.GET \/users\.name is camelCase, /,
  ],
  [
    'operations:\n  GET /users: { names: listUsers }',
    /:2:24 service-file There is no setting names; there are name, pagination\.$/,
  ],
  [
    'operations:\n  get /users: { name: listUsers }',
    /:2:15 service-file The description has no operation get \/users; correct or remove it\.$/,
  ],
  [
    'operations:\n  GET /users: { name: getuser }\n  GET /users/{id}: { name: getUser }',
    /operation-name GET \/users has the name getuser, but for its case, of GET \/users\/\{id\} /,
  ],
  [
    'errors: { schema: "#/components/schemas/Failure" }',
    /:1:19 service-file errors\.schema is #\/components\/schemas\/Failure, which the description /,
  ],
  [
    'errors: { schema: Failure }',
    /:1:19 service-file errors\.schema is the pointer to a schema, such as /,
  ],
  [
    'errors: { mediaType: text/plain }',
    /:1:22 service-file errors\.mediaType is a media type of JSON/,
  ],
  ['errors: { mediaType: application/*+json }', /:1:22 service-file errors\.mediaType is a media /],
  ['a: [', /service\.yaml:\d+:\d+ syntax /],
] as const)('%j in service.yaml is rejected with its line', async ([text, message]) => {
  await expect(compile(write(text), 'minimal')).rejects.toThrow(message)
})
