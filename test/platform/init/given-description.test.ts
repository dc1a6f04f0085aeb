import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readGivenDescription } from '../../../scripts/init/given-description.ts'
import { describeOwnServers } from '../../../scripts/init/own-servers.ts'
import { unservedOperations } from '../../../server/description/unserved.ts'
import { writeFiles } from '../../helpers/compiled-api.ts'

const ok = { 200: { description: 'OK' } }
const info = { title: 'A', version: '1.0.0' }
const describe = (paths: object, others: object = {}) => ({
  openapi: '3.1.0',
  info,
  paths,
  ...others,
})

/** Reads a description in files as `init` does; returns the contents of its files below `spec`, and more. */
async function read(files: Readonly<Record<string, unknown>>, entry = 'openapi.json') {
  const folder = writeFiles(files)
  const given = await readGivenDescription(join(folder, entry))
  const texts = given.files.map(({ path, content }) => [path, String(content)] as const)
  const changes = given.files.flatMap((file) => file.changes)
  const settings: unknown = parse(given.serviceFile)
  return { ...given, texts: Object.fromEntries(texts), changes, settings }
}

test('a description of several files is kept with its paths, and no character changes', async () => {
  const comment = '# A comment that stays\nopenapi: 3.0.3\n'
  const text = `${comment}info: { title: A, version: 1.0.0 }
x-shared: { $ref: extensions/shared.yaml }
paths:
  /users/{id}: { $ref: "paths/users_%7Bid%7D.yaml" }
components: { schemas: { Unused: { type: string } } }
`
  const item = `get:
  parameters: [{ $ref: ../common/id.yaml }]
  responses: { "200": { description: OK } }
`
  const files = {
    'api.yaml': text,
    'paths/users_{id}.yaml': item,
    'common/id.yaml': 'name: id\nin: path\nrequired: true\nschema: { type: string }\n',
    'extensions/shared.yaml': 'a: 1\n',
    'not-referred.yaml': 'a: 1\n',
  }
  const { texts, changes } = await read(files, 'api.yaml')
  const { 'api.yaml': entry, 'not-referred.yaml': _, ...others } = files
  expect(texts).toEqual({ 'openapi.yaml': entry, ...others })
  expect(changes).toEqual([])
})

test('references are changed only where files do not keep their place to each other', async () => {
  const entry = `openapi: 3.1.0
info: { title: A, version: 1.0.0 }
paths:
  /a:
    get: # Stays
      responses: { "200": { $ref: '../common/responses.yaml#/Ok' } }
  /b: { $ref: b.yaml }
components: { schemas: { A: { type: string } } }
`
  const files = {
    'definitions/api.yaml': entry,
    'definitions/b.yaml':
      'get: { responses: { "200": { $ref: "../common/responses.yaml#/Ok" } } }\n',
    'common/responses.yaml': `Ok:
  description: OK
  content: { application/json: { schema: { $ref: "../definitions/api.yaml#/components/schemas/A" } } }
`,
  }
  const { texts, changes } = await read(files, 'definitions/api.yaml')
  expect(texts).toEqual({
    'openapi.yaml': entry
      .replace('../common/responses.yaml', 'common/responses.yaml')
      .replace('$ref: b.yaml', '$ref: definitions/b.yaml'),
    'definitions/b.yaml': files['definitions/b.yaml'],
    'common/responses.yaml': files['common/responses.yaml'].replace(
      '../definitions/api.yaml',
      '../openapi.yaml',
    ),
  })
  expect(changes).toEqual([
    '../common/responses.yaml is common/responses.yaml now',
    'b.yaml is definitions/b.yaml now',
    '../definitions/api.yaml is ../openapi.yaml now',
  ])
})

test('operations get names that are identifiers and differ by more than their case', async () => {
  const operations = (...ids: readonly (string | undefined)[]) =>
    ids.map((operationId, index) => [
      `/users/{id}/part-${index}`,
      {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: { ...(operationId !== undefined && { operationId }), responses: ok },
      },
    ])
  const ids = [
    'users.get-one',
    undefined,
    'listUsers',
    'listusers',
    'APIKeys',
    'delete',
    '2fa',
    'raw',
    'GetUsersByIdPart9',
    undefined,
    'then',
  ]
  const { settings } = await read({
    'openapi.json': describe(Object.fromEntries(operations(...ids))),
  })
  const names = {
    0: 'usersGetOne',
    1: 'getUsersByIdPart1',
    3: 'listusers2',
    4: 'apiKeys',
    5: 'getUsersByIdPart5',
    6: 'n2fa',
    7: 'getUsersByIdPart7',
    8: 'getUsersByIdPart9',
    9: 'getUsersByIdPart92',
    10: 'getUsersByIdPart10',
  }
  const expected = Object.entries(names).map(([index, name]) => {
    return [`GET /users/{id}/part-${index}`, { name }]
  })
  expect(settings).toMatchObject({ operations: Object.fromEntries(expected) })
})

test('an operation at the root without an operationId has no reserved word as its name', async () => {
  const item = { get: { responses: ok }, delete: { responses: ok } }
  const { settings } = await read({ 'openapi.json': describe({ '/': item }) })
  expect(settings).toMatchObject({
    operations: { 'GET /': { name: 'get' }, 'DELETE /': { name: 'deleteRoot' } },
  })
})

test.for([
  ['2024-05', '1.0.0'],
  ['v2', '2.0.0'],
  ['1.4', '1.4.0'],
  ['1.4.2-beta', '1.4.2'],
  ['1.10.5-rc.1', '1.10.5'],
  ['1.10.5+build.7', '1.10.5'],
  ['1.10-beta', '1.10.0'],
  ['12-05-2024', '1.0.0'],
] as const)('releases of version %s begin with %s', async ([version, expected]) => {
  const root = describe({ '/a': { get: { operationId: 'getA', responses: ok } } })
  const given = await read({ 'openapi.json': { ...root, info: { title: 'A', version } } })
  expect(given.settings).toMatchObject({ version: expected })
  expect(given.version).toBe(expected)
  expect(given.description).toMatchObject({ info: { version } })
})

test('webhooks, links, callbacks, references into operations and components of any name stay', async () => {
  const id = { name: 'id', in: 'query', schema: { type: 'string' } }
  const get = {
    operationId: 'getA',
    parameters: [id],
    responses: {
      200: { description: 'OK', links: { self: { operationId: 'getA' } } },
    },
    callbacks: { done: { '{$request.query.id}': { post: { responses: ok } } } },
  }
  const paths = {
    '/a': { get },
    '/b': {
      get: {
        operationId: 'getB',
        parameters: [{ $ref: '#/paths/~1a/get/parameters/0' }],
        responses: ok,
      },
    },
  }
  const others = {
    webhooks: { added: { post: { operationId: 'added', responses: ok } } },
    components: { schemas: { Error: { type: 'string' }, 'Not.Used': { type: 'integer' } } },
  }
  const { description } = await read({ 'openapi.json': describe(paths, others) })
  expect(description).toMatchObject({
    webhooks: others.webhooks,
    paths: { '/a': { get: { callbacks: get.callbacks } } },
    components: { schemas: others.components.schemas },
  })
})

test.for(['platform.yaml', 'service.yaml', 'released.yaml', 'openapi.yaml'])(
  'a file of a description that is called %s has to be renamed',
  async (name) => {
    const item = { get: { operationId: 'getA', responses: ok } }
    const reading = read({ 'openapi.json': describe({ '/a': { $ref: name } }), [name]: item })
    await expect(reading).rejects.toThrow(
      new RegExp(`${name}: spec/${name} is a file of the platform`),
    )
  },
)

test('the first file of a description may have any name', async () => {
  const root = describe({ '/a': { get: { operationId: 'getA', responses: ok } } })
  for (const name of ['platform.yaml', 'service.yaml', 'released.yaml']) {
    const { texts } = await read({ [name]: root }, name)
    expect(texts).toEqual({ 'openapi.yaml': JSON.stringify(root) })
  }
})

test('a path on another host is listed, and its reference stays', async () => {
  const $ref = 'https://other.example/api.yaml#/paths/~1b'
  const get = { operationId: 'getA', responses: ok }
  const { description } = await read({
    'openapi.json': describe({ '/a': { get }, '/b': { $ref } }),
  })
  expect(description).toMatchObject({ paths: { '/b': { $ref } } })
})

// What a reference means within a schema that has an `$id`, and where it has to lead instead.
const ofIds: readonly (readonly [reference: string, pointer: string])[] = [
  ['#/$defs/C', '#/components/schemas/B/$defs/C'],
  ['missing.json', '#/components/schemas/D'],
]

test.for(ofIds)(
  'a reference to %s, relative to an $id, is rejected with the pointer to write',
  async ([$ref, pointer]) => {
    const B = {
      $id: 'https://example.com/b.json',
      $defs: { C: { type: 'string' } },
      items: { $ref },
    }
    const schemas = { B, D: { $id: 'https://example.com/missing.json' } }
    const reading = read({ 'openapi.json': describe({}, { components: { schemas } }) })
    const reason = `Can't resolve $ref ${$ref}: it depends on the $id of a schema, which is not followed`
    await expect(reading).rejects.toThrow(`${reason}; write ${pointer}, and remove the $id.`)
  },
)

test('an operation that refers to a schema by its $id is named, and is not served', async () => {
  for (const $id of ['urn:example:a', 'https://example.com/a.json']) {
    const content = { 'application/json': { schema: { $ref: $id } } }
    const get = { responses: { 200: { description: 'OK', content } } }
    const components = { schemas: { A: { $id, type: 'string' } } }
    const { model } = await read({ 'openapi.json': describe({ '/a': { get } }, { components }) })
    const reason = `it refers to ${$id}, the $id of a schema, which is not followed`
    expect([...unservedOperations(model)]).toEqual([['GET /a', reason]])
  }
})

test.for([
  [{ '/a': { get: { responses: { 200: { $ref: '#/b' } } } } }, /json:1:\d+ no-unresolved-refs /],
  [{ '/a/{b}': { get: { responses: ok } } }, /json:1:\d+ path-parameters-defined /],
] as const)('an invalid description is rejected with its line', async ([paths, message]) => {
  await expect(read({ 'openapi.json': describe(paths) })).rejects.toThrow(message)
})

test('operations with servers of their own are named, three at most, with where the service has them', async () => {
  const servers = [{ url: 'https://a.example/v2' }]
  const other = [{ url: 'https://{host}/up', variables: { host: { default: 'b.example' } } }]
  const get = { responses: ok }
  const paths = {
    '/a': { get, post: { ...get, servers: other } },
    '/b': { servers: other, get, put: { ...get, servers } },
  }
  const few = await read({ 'openapi.json': describe(paths, { servers }) })
  expect(describeOwnServers(few.model)).toEqual([
    expect.stringMatching(
      /^2 operations have servers .*: POST \/a \(https:\/\/b\.example\/up\), GET \/b \([^,]+\)\. This service has them below \/v2; route /,
    ),
  ])

  const item = { servers: other, get, put: get, post: get, patch: get }
  const many = await read({ 'openapi.json': describe({ '/c': item }) })
  const [line] = describeOwnServers(many.model)
  expect(line).toMatch(/^4 operations have .* and 1 more\. This service has them below \/; /)

  const none = await read({ 'openapi.json': describe({ '/d': { servers, get } }, { servers }) })
  expect(describeOwnServers(none.model)).toEqual([])
})
