import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { type JsonObject, toObject } from '../../../server/description/json.ts'
import { editSchemas } from '../../../server/description/nodes.ts'
import { type Edit, editText, set } from '../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { readBase } from './support/workspace.ts'

const folder = createTemporaryFolder(afterAll)
const base = await readBase()
const baseOfOld = stringify(toOld(toObject(parse(base))), {
  lineWidth: 0,
  aliasDuplicateObjects: false,
})
let count = 0

/** Returns a description of OpenAPI 3.1 as OpenAPI 3.0 writes it, without keywords that are new in 3.1. */
function toOld(description: JsonObject): JsonObject {
  const { summary: _, ...info } = toObject(description['info'])
  const license = { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' }
  const schemas = editSchemas(description, toOldSchema)
  return { ...schemas, openapi: '3.0.3', info: { ...info, license } }
}

function toOldSchema(schema: JsonObject): JsonObject {
  const {
    type,
    const: constant,
    examples,
    exclusiveMinimum,
    unevaluatedProperties: _,
    propertyNames: __,
    ...others
  } = schema
  if ('$ref' in schema) {
    return { $ref: schema['$ref'] }
  }

  const [first] = [examples].flat()
  const isNullable = Array.isArray(type) && type.includes('null')
  const [single] = [type].flat().filter((each) => each !== 'null')
  return {
    ...others,
    ...(single !== undefined && { type: single }),
    ...(isNullable && { nullable: true }),
    ...(constant !== undefined && { enum: [constant] }),
    ...(first !== undefined && { example: first }),
    ...(exclusiveMinimum !== undefined && { minimum: exclusiveMinimum, exclusiveMinimum: true }),
  }
}

/** Lints a description after some edits by all rules of the platform. */
async function lint(text: string, ...edits: readonly Edit[]): Promise<readonly string[]> {
  const spec = join(folder, `${count++}.yaml`)
  await writeFile(spec, editText(text, ...edits))
  const findings = await findProblems(await openDescription(spec), 'house')
  return findings.map(({ line }) => line.replace(/^\S+ /, ''))
}

const name = 'components schemas ToolFields properties name'
const notImplemented = (keyword: string) =>
  `service/known-keywords The service does not implement ${keyword} here; remove it.`

test('OpenAPI 3.0 is linted with its own keywords', async () => {
  expect(await lint(baseOfOld)).toEqual([])
})

test('null is valid where OpenAPI 3.0 says nullable', async () => {
  const nullable = { type: 'string', nullable: true, default: null, example: 'A saw.' }
  expect(await lint(baseOfOld, set(name, nullable))).toEqual([])

  const allOf = [{ $ref: '#/components/schemas/Id' }]
  const ofReference = { allOf, nullable: true, default: null }
  expect(await lint(baseOfOld, set(`${name}2`, ofReference))).toEqual([
    expect.stringMatching(/^nullable-type-sibling /),
  ])
})

test('a default beyond an exclusive limit of OpenAPI 3.0 is reported', async () => {
  const schema = { type: 'number', minimum: 0, exclusiveMinimum: true, default: 0 }
  expect(await lint(baseOfOld, set(`${name}2`, schema))).toEqual([
    'service/default-valid The default is not valid against its own schema: it must be > 0.',
  ])
})

test('what OpenAPI 3.0 ignores beside a reference is reported', async () => {
  const schema = { $ref: '#/components/schemas/Id', maximum: 9 }
  expect(await lint(baseOfOld, set(`${name}2`, schema))).toEqual([
    expect.stringMatching(/^spec-ref-siblings Property `maximum` is not expected here/),
  ])
})

test('keywords of OpenAPI 3.1 are reported in 3.0, and nullable in 3.1', async () => {
  expect(await lint(baseOfOld, set(`${name} const`, 'Saw'))).toContainEqual(
    expect.stringMatching(/^struct Property `const` is not expected here/),
  )
  expect(await lint(base, set(`${name} nullable`, true))).toContainEqual(
    expect.stringMatching(/^struct Property `nullable` is not expected here/),
  )
})

test('OpenAPI 3.2 is linted with its own keywords', async () => {
  const version = set('openapi', '3.2.0')
  const summary = set('components responses NotFound summary', 'Not found')
  expect(await lint(base, version, summary)).toEqual([])
  expect(await lint(base, summary)).toContainEqual(
    expect.stringMatching(/^struct Property `summary`/),
  )
})

test.for([
  ['additionalOperations', 'paths /tools additionalOperations', {}],
  ['defaultMapping', `${name} discriminator`, { propertyName: 'kind', defaultMapping: 'Tool' }],
] as const)(
  '%s of OpenAPI 3.2, which the service does not implement, is reported',
  async ([keyword, path, value]) => {
    expect(await lint(base, set('openapi', '3.2.0'), set(path, value))).toContain(
      notImplemented(keyword),
    )
  },
)

const events = 'paths /tools get responses 200 content text/event-stream'
const scopes = { read: 'Reads.' }
const deviceAuthorization = {
  deviceAuthorizationUrl: 'https://a.example/device',
  tokenUrl: 'https://a.example/token',
  scopes,
}

test('what is new in OpenAPI 3.2 is linted, where it has an effect', async () => {
  const problems = await lint(
    base,
    set('openapi', '3.2.0'),
    set('$self', 'https://a.example/openapi.yaml'),
    set('components mediaTypes', { Event: { itemSchema: { type: 'object' } } }),
    set(events, { $ref: '#/components/mediaTypes/Event' }),
    set('components securitySchemes device', { type: 'oauth2', flows: { deviceAuthorization } }),
  )
  expect(problems).toEqual([expect.stringMatching(/^no-unused-components .*"device"/)])
})

test.for(['itemSchema', 'itemEncoding', 'prefixEncoding'])(
  '%s is reported where it has no effect',
  async (keyword) => {
    const media = 'components responses NotFound content application/json'
    const value = keyword === 'prefixEncoding' ? [{}] : {}
    expect(await lint(base, set('openapi', '3.2.0'), set(`${media} ${keyword}`, value))).toContain(
      `service/media-type-effect ${keyword} has no effect on content of application/json; remove it, or change the media type.`,
    )
  },
)
