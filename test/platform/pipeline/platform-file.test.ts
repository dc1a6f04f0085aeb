import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { compareDescriptions } from '../../../scripts/diff/compare.ts'
import { compile } from '../../../scripts/pipeline/artifacts.ts'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { projectPath } from '../../../scripts/pipeline/project.ts'
import { atKey, atValue, createLocator, type Edit, editText, set } from '../../helpers/spec-edit.ts'
import type { UncheckedJson } from '../../helpers/unchecked-json.ts'
import { writeSpec } from './support/workspace.ts'

const platformFile = projectPath('spec/platform.yaml')
const platform = parse(await readFile(platformFile, 'utf8'))

const getA = { operationId: 'getA', responses: { 200: { description: 'A.' } } }
const description = {
  openapi: '3.1.0',
  info: { title: 'A', version: '1.0.0' },
  paths: { '/a': { get: getA } },
}

/** The same, as the service can serve it. */
const served = {
  ...description,
  servers: [{ url: '/v1' }],
  security: [{ apiKey: [] }],
  components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
}

/** Writes a description beside a copy of the platform's file. */
async function write(root: object, ...edits: readonly Edit[]): Promise<string> {
  const spec = await writeSpec(stringify(root))
  const copy = join(dirname(spec), 'platform.yaml')
  await copyFile(platformFile, copy)
  if (edits.length > 0) {
    await writeFile(copy, editText(await readFile(copy, 'utf8'), ...edits))
  }
  return spec
}

async function compiled(spec: string): Promise<UncheckedJson> {
  const { artifacts } = await compile(spec, 'minimal')
  return JSON.parse(artifacts.get('openapi.json') ?? '')
}

/** Returns the errors of a description by a set of rules, a line for each. */
async function findErrors(
  spec: string,
  set: 'served' | 'house' = 'served',
): Promise<readonly string[]> {
  const findings = await findProblems(await openDescription(spec), set)
  return findings.filter(({ isError }) => isError).map(({ line }) => line)
}

const ofPlatform = { $ref: 'platform.yaml#/components/schemas/Error' }

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
  const { Forbidden, NotImplemented, ...ofAll } = platform.components.responses
  expect(Object.keys(components.responses).sort()).toEqual(Object.keys(ofAll).sort())
})

const oauth = { type: 'openIdConnect', openIdConnectUrl: 'https://a.example/.well-known/oidc' }

/** A description with an operation that requires a scope, and one that requires none. */
const scoped = {
  ...served,
  paths: {
    '/a': { get: { ...getA, security: [{ oauth: ['a:read'] }] } },
    '/b': { get: { ...structuredClone(getA), operationId: 'getB', security: [{ oauth: [] }] } },
  },
  components: { securitySchemes: { ...served.components.securitySchemes, oauth } },
}

test('operations that require scopes have a 403 of their own, and its code is among those of errors', async () => {
  const { paths, components } = await compiled(await write(scoped))
  expect(paths['/a'].get.responses[403]).toEqual(component('responses', 'Forbidden'))
  expect(paths['/b'].get.responses).not.toHaveProperty('403')
  const codes = platform.components.schemas.ErrorCode.enum
  expect(components.schemas.ErrorCode.enum).toEqual([...codes, 'insufficient_scope'])
  expect(components.schemas).toHaveProperty('InsufficientScopeError')
  expect(components.headers['WWW-Authenticate'].schema.pattern).toBe('^Bearer')
  expect(await findErrors(await write(scoped))).toEqual([])
})

test('the scopes of all operations are required of each that has no security of its own', async () => {
  const root = { ...scoped, security: [{ oauth: ['all'] }], paths: { '/a': { get: getA } } }
  const { paths } = await compiled(await write(root))
  expect(paths['/a'].get.responses).toHaveProperty('403')
})

test('without scopes, there is no 403 and no code of it; those of the description stay', async () => {
  const { paths, components } = await compiled(await write(served))
  expect(paths['/a'].get.responses).not.toHaveProperty('403')
  expect(components.schemas).not.toHaveProperty('InsufficientScopeError')
  expect(components.schemas.ErrorCode.enum).not.toContain('insufficient_scope')

  const own = {
    ...served.components,
    responses: { Forbidden: { description: 'Not yours.' } },
    schemas: {
      ErrorCode: { type: 'string', enum: ['insufficient_scope', 'not_yours'] },
      NotYours: ofPlatform,
    },
  }
  const kept = (await compiled(await write({ ...served, components: own }))).components
  expect(kept.responses.Forbidden).toMatchObject({ description: 'Not yours.' })
  expect(kept.schemas.ErrorCode.enum).toEqual(
    expect.arrayContaining(['insufficient_scope', 'not_yours', 'unavailable']),
  )
})

test('challenges may have any scheme if not all credentials are bearer tokens', async () => {
  const securitySchemes = { apiKey: { type: 'apiKey', in: 'query', name: 'key' } }
  const { components } = await compiled(await write({ ...served, components: { securitySchemes } }))
  expect(components.headers['WWW-Authenticate'].schema).toEqual({ type: 'string' })
  expect(await findErrors(await write({ ...served, components: { securitySchemes } }))).toEqual([])
})

test('a new scope is a change of the contract, and so is the 403 that it brings', async () => {
  const withoutScopes = { get: { ...getA, security: [{ oauth: [] }] } }
  const before = { ...scoped, paths: { ...scoped.paths, '/a': withoutScopes } }
  const { changes } = compareDescriptions(await write(before), await write(scoped))
  expect(changes.map(({ id }) => id).sort()).toEqual([
    'api-security-scope-added',
    'response-non-success-status-added',
  ])
  const bundled = await compiled(await write(scoped))
  expect(compareDescriptions(await write(bundled), await write(scoped)).changes).toEqual([])
})

test('components of a description that refers to the platform replace those that have their name', async () => {
  const codes = [...platform.components.schemas.ErrorCode.enum, 'sold_out']
  const own = {
    headers: { 'X-Request-Id': { required: true, schema: { type: 'string', maxLength: 64 } } },
    responses: { NotFound: { description: 'There is no A.' } },
    schemas: { ErrorCode: { type: 'string', enum: codes }, NotA: ofPlatform },
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

test('components that share a name with those of the platform by chance stay as they are', async () => {
  const key = { type: 'apiKey', in: 'query', name: 'key' }
  const own = {
    securitySchemes: { ...scoped.components.securitySchemes, key },
    headers: { 'WWW-Authenticate': { schema: { type: 'integer' } } },
    responses: { NotFound: { description: 'There is no A.' } },
    schemas: { ErrorCode: { type: 'integer', enum: [1, 2] }, Error: { type: 'boolean' } },
  }
  const { components, paths, ...root } = await compiled(await write({ ...scoped, components: own }))
  expect(components.headers['WWW-Authenticate']).toEqual(own.headers['WWW-Authenticate'])
  expect(components.responses.NotFound).toEqual(own.responses.NotFound)
  expect(components.schemas).toMatchObject(own.schemas)

  const notFound = root['x-undeclared-operations'][404]
  expect(notFound).not.toEqual(component('responses', 'NotFound'))
  const codes = [...platform.components.schemas.ErrorCode.enum, 'insufficient_scope']
  expect(components.schemas.PlatformErrorCode.enum).toEqual(codes)
  expect(components.headers['PlatformWWW-Authenticate'].schema).toEqual({ type: 'string' })
  expect(JSON.stringify(components)).toContain('"$ref":"#/components/schemas/PlatformErrorCode"')
  expect(await findErrors(await write({ ...scoped, components: own }))).toEqual([])
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

/** A description with an error of its own, and a schema of the codes. */
function withOwnError(errorCode: object) {
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
  return {
    ...served,
    paths: { '/a': { get: { ...getA, responses } } },
    components: { ...served.components, schemas: { ErrorCode: errorCode, Lent: schema } },
  }
}

const platformCodes = platform.components.schemas.ErrorCode.enum

test.for([
  ['its own codes', ['a_lent']],
  ['all codes', [...platformCodes, 'a_lent']],
] as const)('an API adds a code of errors by an ErrorCode with %s', async ([, codes]) => {
  const spec = await write(withOwnError({ type: 'string', enum: codes }))
  expect(await findErrors(spec)).toEqual([])

  const { artifacts } = await compile(spec, 'minimal')
  const { components }: UncheckedJson = JSON.parse(artifacts.get('openapi.json') ?? '')
  expect(components.schemas.ErrorCode.enum).toEqual([...platformCodes, 'a_lent'])
  expect(artifacts.get('openapi.d.ts')).toMatch(/ErrorCode: "invalid_request" \|.*\| "a_lent";/)
})

test('an ErrorCode in another file, or one that may grow, gets the codes of the platform, too', async () => {
  const extensible = { type: 'string', 'x-extensible-enum': ['a_lent'] }
  const spec = await write(withOwnError({ $ref: 'error-code.yaml' }))
  await writeFile(join(dirname(spec), 'error-code.yaml'), stringify(extensible))
  expect(await findErrors(spec)).toEqual([])

  const { components } = await compiled(spec)
  const all = [...platformCodes, 'a_lent']
  expect(components.schemas['error-code']).toMatchObject({ enum: all, 'x-extensible-enum': all })
})

test.for([
  ['schemas', 'Error', { type: 'object', required: ['error'], additionalProperties: false }],
  ['schemas', 'NotFoundError', { type: 'string' }],
  ['parameters', 'IdempotencyKey', { name: 'key', in: 'query', schema: { type: 'string' } }],
] as const)('%s.%s of an API is reported: the platform has it', async ([section, name, own]) => {
  const components = { ...served.components, [section]: { [name]: own } }
  const spec = await write({ ...served, components })
  const { line, col } = createLocator(await readFile(spec, 'utf8'))(
    atKey(`components ${section} ${name}`),
  )
  const place = `openapi.yaml:${line}:${col} service/component-name-free`
  const message = `The platform has #/components/${section}/${name} itself. Rename this one, such as to Api${name},`
  expect(await findErrors(spec, 'house')).toContainEqual(
    expect.stringContaining(`${place} ${message}`),
  )
})

test.for([
  ['errors.yaml#/Error', stringify({ Error: { type: 'object' } })],
  ['./Error.yaml', 'type: object\n'],
] as const)(
  '%s, which would be compiled under the name Error, is reported',
  async ([$ref, text]) => {
    const content = { 'application/json': { schema: { $ref }, example: {} } }
    const responses = { 200: { description: 'A.', content } }
    const paths = { '/a': { get: { ...getA, responses } } }
    const spec = await write({ ...served, paths })
    const [name = ''] = $ref.split('#')
    await writeFile(join(dirname(spec), name), text)
    const message =
      'The platform has #/components/schemas/Error itself. Rename what this refers to,'
    expect(await findErrors(spec, 'house')).toContainEqual(expect.stringContaining(message))
  },
)

test('a response with an Error of the API in place of that of the platform is reported', async () => {
  const own = { type: 'object', properties: { error: { type: 'string' } } }
  const content = { 'application/json': { schema: component('schemas', 'Error') } }
  const responses = { ...getA.responses, 403: { description: 'A is lent.', content } }
  const errors = await findErrors(
    await write({
      ...served,
      paths: { '/a': { get: { ...getA, responses } } },
      components: { ...served.components, schemas: { Error: own } },
    }),
    'house',
  )
  expect(errors).toEqual(
    expect.arrayContaining([
      expect.stringContaining(
        'refer to platform.yaml#/components/schemas/Error, alone or in an allOf',
      ),
      expect.stringContaining('service/component-name-free'),
    ]),
  )
})

test('an API may declare responses, headers and examples of the platform itself', async () => {
  const { NotFound } = platform.components.examples
  const code = {
    'application/json': { schema: { $ref: 'platform.yaml#/components/schemas/Error' } },
  }
  const spec = await write({
    ...served,
    components: {
      ...served.components,
      responses: { NotAcceptable: { description: 'Send Accept.', content: code } },
      headers: { Link: { schema: { type: 'string', maxLength: 2000 } } },
      examples: { NotFound: { ...NotFound, summary: 'No such A' } },
    },
  })
  expect(await findErrors(spec)).toEqual([])
})

test('the texts about credentials name those of the description', async () => {
  const bearer = { type: 'http', scheme: 'bearer' }
  const header = { type: 'apiKey', in: 'header', name: 'X-Key' }
  const basic = { type: 'http', scheme: 'basic' }
  const textsFor = async (securitySchemes: object) => {
    const root = { ...served, components: { securitySchemes }, security: [] }
    const { components } = await compiled(await write(root))
    const { Unauthorized, TooManyRequests } = components.responses
    const { missing, invalid } = Unauthorized.content['application/json'].examples
    const { banned } = TooManyRequests.content['application/json'].examples
    const { description, example } = components.schemas.UnauthorizedError
    expect(description).toBe(Unauthorized.description)
    expect(example.message).toBe(missing.value.message)
    return {
      description,
      missing: `${missing.summary}: ${missing.value.message}`,
      invalid: `${invalid.summary}: ${invalid.value.message}`,
      banned: `${banned.summary}: ${banned.value.message}`,
    }
  }

  const retry = 'after repeated requests over its limit. Retry in 300 seconds.'
  const usual = {
    description: 'The API key is missing or invalid.',
    missing: 'No key was sent: Send an API key: Authorization: Bearer <API_KEY>.',
    invalid: 'The key is malformed, unknown, expired or revoked: The API key is not valid.',
    banned: `The key is banned for a while: The API key is banned ${retry}`,
  }
  expect(await textsFor({ bearer })).toEqual(usual)
  expect(await textsFor({ header })).toEqual({
    ...usual,
    missing: 'No key was sent: Send an API key: x-key: <API_KEY>.',
  })
  expect(await textsFor({ oauth, jwt: { ...bearer, bearerFormat: 'JWT' } })).toEqual({
    description: 'The token is missing or invalid.',
    missing: 'No token was sent: Send a token: Authorization: Bearer <TOKEN>.',
    invalid: 'The token is not valid: The token is not valid.',
    banned: `The token is banned for a while: The token is banned ${retry}`,
  })
  expect(await textsFor({ oauth, basic })).toMatchObject({
    description: 'The credentials are missing or invalid.',
    missing: expect.stringMatching(/^No credentials were sent: Send a token: .+ Or: Send a user /),
    invalid: 'The credentials are not valid: The token or password is not valid.',
  })
  expect(await textsFor({ mutual: { type: 'mutualTLS' } })).toMatchObject({
    description: 'The credentials are missing or invalid.',
  })
  // Nothing of one description is left in the next.
  expect(await textsFor({ bearer })).toEqual(usual)
})

test('the texts about media types are true for those of the description', async () => {
  const textsFor = async (sent: readonly string[], received: string) => {
    const contentOf = (type: string) => ({ [type]: { schema: { type: 'string' } } })
    const operations = sent.map((type, index) => {
      const requestBody = { content: contentOf(type) }
      const responses = { 200: { description: 'A.', content: contentOf(received) } }
      return [`/a${index}`, { post: { operationId: `a${index}`, requestBody, responses } }] as const
    })
    const root = { ...served, paths: Object.fromEntries(operations) }
    const { components } = await compiled(await write(root))
    const { UnsupportedMediaType, NotAcceptable } = components.responses
    const { unsupported } = UnsupportedMediaType.content['application/json'].examples
    const { notAcceptable } = NotAcceptable.content['application/json'].examples
    const texts = [UnsupportedMediaType.description, NotAcceptable.description]
    return [...texts, unsupported.value.message, notAcceptable.value.message]
  }

  const coding = 'or its content coding is neither gzip nor br.'
  const rulesOut = 'which the Accept header rules out.'
  const json = 'application/json'
  expect(await textsFor([json], json)).toEqual([
    `The body is not \`application/json\`, ${coding}`,
    '`Accept` rules JSON out.',
    'The body must be application/json.',
    `The response is application/json, ${rulesOut}`,
  ])
  expect(await textsFor(['image/png'], 'text/csv')).toEqual([
    `The body is not \`image/png\`, ${coding}`,
    '`Accept` rules out every media type of the response.',
    'The body must be image/png.',
    `The response is text/csv, ${rulesOut}`,
  ])
  expect(await textsFor([json, 'image/png'], json)).toEqual([
    `The body has no media type that the operation accepts, ${coding}`,
    '`Accept` rules JSON out.',
    'The body must be application/json.',
    `The response is application/json, ${rulesOut}`,
  ])
})
