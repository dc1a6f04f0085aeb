import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { DescriptionError } from '../../../scripts/pipeline/failure.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'

/** Compiles a description in files; returns its operations, as they are printed. */
async function compileFiles(files: Readonly<Record<string, unknown>>) {
  const folder = createTemporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(content))
  }
  const { artifacts } = await compile(join(folder, 'openapi.json'), 'minimal')
  return artifacts
}

function describe(paths: object, schemas: object = {}) {
  const info = { title: 'A', version: '1.0.0' }
  return { openapi: '3.1.0', info, paths, components: { schemas } }
}

const ok = { 200: { description: 'OK' } }
const contentOf = ($ref: string) => ({ content: { 'application/json': { schema: { $ref } } } })

// A reference is a URI (RFC 3986), in which some characters of a name are encoded.
const names: readonly (readonly [reference: string, file: string])[] = [
  ['paths/users_%7Bid%7D.json', 'paths/users_{id}.json'],
  ['./a%20b.json', 'a b.json'],
  ['%C3%A4.json', 'ä.json'],
  ['ä.json', 'ä.json'],
  ['100%.json', '100%.json'],
  ['a%23b.json', 'a#b.json'],
]

test.for(names)('a reference to %s leads to the file %s', async ([$ref, file]) => {
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
  const item = { get: { operationId: 'getUser', parameters, responses: ok } }
  const artifacts = await compileFiles({
    'openapi.json': describe({ '/users/{id}': { $ref } }),
    [file]: item,
  })
  expect(artifacts.get('operations.ts')).toContain('"operationId": "getUser"')
})

/** Schemas, each of which refers to the next one, and the last one to the first. */
function chainOf(length: number) {
  const schemas = Array.from({ length }, (_, index) => {
    const next = { $ref: `#/components/schemas/S${(index + 1) % length}` }
    return [`S${index}`, { type: 'object', properties: { next } }] as const
  })
  const success = { 200: { description: 'OK', ...contentOf('#/components/schemas/S0') } }
  const paths = { '/a': { get: { operationId: 'getA', responses: success } } }
  return describe(paths, Object.fromEntries(schemas))
}

test('schemas that refer to each other are compiled, or rejected in one line if they are too many', async () => {
  const short = await compileFiles({ 'openapi.json': chainOf(200) })
  expect(short.get('openapi.d.ts')).toContain('S199: {')
  const long = compileFiles({ 'openapi.json': chainOf(5_000) })
  await expect(long).rejects.toThrow(DescriptionError)
  await expect(long).rejects.toThrow(/^\S+openapi\.json:1:1 reference-depth [^\n]+$/)
})

test('paths that refer to one path item are compiled, unless its operation would have one name twice', async () => {
  const paths = { '/a': { $ref: 'item.json' }, '/b': { $ref: 'item.json' } }
  const artifacts = await compileFiles({
    'openapi.json': describe(paths),
    'item.json': { get: { responses: ok } },
  })
  expect(artifacts.get('operations.ts')).toMatch(/"GET \/a": .+"GET \/b": /s)

  const named = { get: { operationId: 'getIt', responses: ok } }
  const repeated = compileFiles({ 'openapi.json': describe(paths), 'item.json': named })
  await expect(repeated).rejects.toThrow(
    /^\S+openapi\.json:1:\d+ operation-name GET \/b has the name getIt of GET \/a \(\S+openapi\.json:1:\d+\); name it in service\.yaml, /,
  )

  const operations = { 'GET /a': { name: 'getA' }, 'GET /b': { name: 'getB' } }
  const renamed = await compileFiles({
    'openapi.json': describe(paths),
    'item.json': named,
    'service.yaml': { operations },
  })
  expect(renamed.get('operations.ts')).toMatch(/"getA": .+"getB": /s)
  const { paths: compiled }: UncheckedJson = JSON.parse(renamed.get('openapi.json') ?? '')
  expect(compiled['/b'].get).toMatchObject({ operationId: 'getIt', 'x-operation-name': 'getB' })
})

test('what the API requests of others needs no name of its own', async () => {
  const item = { get: { operationId: 'getIt', responses: ok } }
  const webhooks = { c: { $ref: '#/paths/~1a' } }
  const description = { ...describe({ '/a': item }), webhooks }
  const artifacts = await compileFiles({ 'openapi.json': description })
  expect(artifacts.get('openapi.d.ts')?.match(/^ +getIt: \{$/gm)).toHaveLength(1)
})

test('a callback may lead back to the path item that holds it', async () => {
  const item = { $ref: '#/components/pathItems/Job' }
  const callbacks = { done: { '{$request.body#/url}': item } }
  const job = { post: { operationId: 'startJob', callbacks, responses: ok } }
  const description = { ...describe({ '/jobs': item }), components: { pathItems: { Job: job } } }
  const artifacts = await compileFiles({ 'openapi.json': description })
  expect(artifacts.get('openapi.d.ts')).toContain('startJob: {')
})
