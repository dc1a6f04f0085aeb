import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'
import { atValue, createLocator, type Edit, editText, set } from '../../helpers/spec-edit.ts'
import { writeSpec } from './support/workspace.ts'

const platformFile = projectPath('spec/platform.yaml')
const platform = parse(await readFile(platformFile, 'utf8'))

const getA = { operationId: 'getA', responses: { 200: { description: 'A.' } } }
const description = {
  openapi: '3.1.0',
  info: { title: 'A', version: '1.0.0' },
  paths: { '/a': { get: getA } },
}

/** Writes a description beside a copy of the platform's file. */
async function write(root: object, ...edits: readonly Edit[]): Promise<string> {
  const spec = await writeSpec(stringify(root))
  const copy = join(dirname(spec), 'platform.yaml')
  await copyFile(platformFile, copy)
  if (edits.length > 0) await writeFile(copy, editText(await readFile(copy, 'utf8'), ...edits))
  return spec
}

async function compiled(spec: string) {
  const { artifacts } = await compile(spec, 'minimal')
  return JSON.parse(artifacts.get('openapi.json') ?? '')
}

const component = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

test('a description beside platform.yaml has its responses and headers, without a reference to it', async () => {
  const { paths, components, ...root } = await compiled(await write(description))
  const { responses } = paths['/a'].get
  expect(Object.keys(responses)).toEqual(['200', '400', '401', '406', '429', '500', '503'])
  expect(responses[401]).toEqual(component('responses', 'Unauthorized'))
  expect(responses[200].headers['X-Request-Id']).toEqual(component('headers', 'X-Request-Id'))
  expect(root).not.toHaveProperty('x-platform')
  expect(root).toMatchObject({
    'x-undeclared-operations': { 405: component('responses', 'MethodNotAllowed') },
    'x-framing-response': component('responses', 'BadRequestFraming'),
  })
  // The service's types come from them, also where no operation has a body or an Idempotency-Key.
  expect(Object.keys(components.responses).sort()).toEqual(
    Object.keys(platform.components.responses).sort(),
  )
})

test('components of the description replace those of the platform that have their name', async () => {
  const codes = [...platform.components.schemas.ErrorCode.enum, 'sold_out']
  const own = {
    headers: { 'X-Request-Id': { required: true, schema: { type: 'string', maxLength: 64 } } },
    responses: { NotFound: { description: 'There is no A.' } },
    schemas: { ErrorCode: { type: 'string', enum: codes } },
  }
  const { components, ...root } = await compiled(await write({ ...description, components: own }))
  expect(components.headers['X-Request-Id']).toEqual(own.headers['X-Request-Id'])
  expect(components.responses.NotFound).toMatchObject(own.responses.NotFound)
  expect(components.responses.NotFound).toHaveProperty('headers')
  expect(components.schemas.ErrorCode).toEqual(own.schemas.ErrorCode)
  expect(components.schemas.Error.properties.code).toEqual(component('schemas', 'ErrorCode'))
  expect(root['x-undeclared-operations'][404]).toEqual(component('responses', 'NotFound'))
  const names = Object.values<object>(components).flatMap((named) => Object.keys(named))
  expect(names.filter((name) => /platform|-2$/.test(name))).toEqual([])
})

test('what the description declares for operations wins over the platform', async () => {
  const moved = { description: 'Try later.' }
  const { paths, components, ...root } = await compiled(
    await write({
      ...description,
      'x-common': {
        headers: { 'X-Own': { schema: { type: 'string' } } },
        responses: { 503: moved },
      },
      'x-undeclared-operations': { 404: { description: 'Nothing here.' } },
    }),
  )
  const { responses } = paths['/a'].get
  const added = { 'X-Own': { schema: { type: 'string' } } }
  expect(responses[503]).toMatchObject({ ...moved, headers: added })
  expect(responses[200].headers).toMatchObject(added)
  // A response of the platform gets a header of the description in a copy.
  expect(responses[401].headers).toMatchObject(added)
  expect(components.responses.Unauthorized.headers).not.toHaveProperty('X-Own')
  expect(root['x-undeclared-operations'][404]).toMatchObject({ description: 'Nothing here.' })
})

test('a header of the own x-common is compared in the responses of the platform, too', async () => {
  const writeWith = (schema: object) =>
    write({
      ...description,
      'x-common': { headers: { 'X-Own': component('headers', 'Own') } },
      components: { headers: { Own: { required: true, schema } } },
    })
  const before = await writeWith({ type: 'string' })
  const after = await writeWith({ type: 'integer' })
  const { changes } = compareDescriptions(before, after)
  expect(changes).toMatchObject([{ place: 'components.headers.Own' }])
})

test('a bundled description is left as it is', async () => {
  const bundled = await compiled(await write(description))
  expect(await compiled(await write(bundled, set('x-common responses 418', {})))).toEqual(bundled)
})

test('mistakes in platform.yaml are reported there', async () => {
  const wrong = { $ref: '#/components/responses/Unauthorised' }
  const spec = await write(description, set('x-common responses 401', wrong))
  const findings = await findProblems(await openDescription(spec), 'minimal')
  const file = join(dirname(spec), 'platform.yaml')
  const { line, col } = createLocator(await readFile(file, 'utf8'))(
    atValue('x-common responses 401'),
  )
  expect(findings.map((finding) => finding.line)).toEqual([
    expect.stringMatching(
      new RegExp(
        `platform\\.yaml:${line}:${col} no-unresolved-refs .* Did you mean Unauthorized\\?$`,
      ),
    ),
  ])
})

test('changes of the platform are changes of the contract, in its file', async () => {
  const [before, after] = [
    await write(description),
    await write(description, set('components responses NotAcceptable description', 'Other.')),
  ]
  const { changes } = compareDescriptions(before, after)
  expect(changes).toHaveLength(1)
  expect(changes).toMatchObject([
    {
      id: 'text-reworded',
      place: 'components.responses.NotAcceptable',
      file: expect.stringMatching(/platform\.yaml$/),
    },
  ])
})

test.for(['3.0.4', '3.1.1', '3.2.0'])('platform.yaml is valid in OpenAPI %s', async (openapi) => {
  const spec = await write({ ...description, openapi })
  const findings = await findProblems(await openDescription(spec), 'recommended')
  const inPlatform = findings.filter(({ line }) => line.includes('platform.yaml'))
  expect(inPlatform.map(({ line }) => line)).toEqual([])
})

test('an API adds codes of errors by an ErrorCode of its own', async () => {
  const codes = [...platform.components.schemas.ErrorCode.enum, 'a_lent']
  const lent = { code: 'a_lent', message: 'A is lent.', status: 403 }
  const narrowed = { code: { type: 'string', enum: ['a_lent'] }, status: { enum: [403] } }
  const schema = {
    allOf: [
      { $ref: 'platform.yaml#/components/schemas/Error' },
      { type: 'object', properties: narrowed },
    ],
    examples: [lent],
  }
  const content = { 'application/json': { schema: component('schemas', 'Lent'), example: lent } }
  const responses = { ...getA.responses, 403: { description: 'A is lent.', content } }
  const spec = await write({
    ...description,
    servers: [{ url: '/v1' }],
    security: [{ apiKey: [] }],
    paths: { '/a': { get: { ...getA, responses } } },
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      schemas: { ErrorCode: { type: 'string', enum: codes }, Lent: schema },
    },
  })
  const findings = await findProblems(await openDescription(spec), 'served')
  expect(findings.filter(({ isError }) => isError)).toEqual([])
  const { components } = await compiled(spec)
  expect(components.schemas.ErrorCode.enum).toContain('a_lent')
})
