import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import {
  atKey,
  atValue,
  createLocator,
  type Edit,
  editText,
  inlineParameter,
  type Place,
  remove,
  rename,
  set,
  together,
} from '../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { readBase } from './support/workspace.ts'

const list = 'paths /tools get'
const post = 'paths /tools post'
const put = 'paths /tools/{toolId} put'
const patch = 'paths /tools/{toolId} patch'
const old = 'paths /tools/{toolId}/manual get'
const paged = `${list} x-paginated-by`
const media = `${post} requestBody content application/json`
const response = 'components responses'
const headers = 'components headers'
const parameters = 'components parameters'
const limit = `${parameters} Limit`
const oauth = 'components securitySchemes oauth'
const schemas = 'components schemas'
const fields = `${schemas} ToolFields properties`
const notFound = 'components responses NotFound'
const undeclared = 'x-undeclared-operations'
const unevaluated = 'unevaluatedProperties'
const example = 'examples notFound value'
const total = { $ref: '#/components/headers/X-Total' }
const flow = { tokenUrl: 'https://identity.example/token', scopes: { a: 'All' } }
const oauthScheme = { type: 'oauth2', flows: { clientCredentials: flow } }
const json = 'content application/json'

const folder = createTemporaryFolder(afterAll)
await writeFile(join(folder, 'tool-name.yaml'), 'type: string\nminLength: 1\nexamples: [Ryoba]\n')
const base = await readBase()
let count = 0

/** Lints the fixture API after some edits by all rules of the platform. */
async function lint(...edits: readonly Edit[]) {
  const text = editText(base, ...edits)
  const spec = join(folder, `${count++}.yaml`)
  await writeFile(spec, text)
  const findings = await findProblems(await openDescription(spec), 'house')
  const lines = findings.map(({ line }) => line)
  const problems = lines.map((each) => {
    const [, line, col, rule = ''] = /:(\d+):(\d+) (\S+) /.exec(each) ?? []
    return { rule, line: Number(line), col: Number(col) }
  })
  return { lines, problems, locate: createLocator(text) }
}

test('a description without an edit has no lint errors', async () => {
  expect((await lint()).lines).toEqual([])
})

test('a schema in another file, an inlined parameter, an example in content and maxItems are no lint errors', async () => {
  const { lines } = await lint(
    // The example is in the other file.
    set(`${schemas} ToolName`, { $ref: 'tool-name.yaml' }),
    set(`${fields} name`, { $ref: '#/components/schemas/ToolName' }),
    inlineParameter('Limit', `${list} parameters 0`),
    set(`${schemas} Tools maxItems`, 100),
    set(`${fields} x-sunset`, { type: 'string' }),
    set(`${headers} Link schema`, {
      type: ['string', 'null'],
      pattern: '^<[^>]+>(?:; [a-z]+="[^"]+")*$',
      maxLength: 1000,
    }),
  )
  expect(lines).toEqual([])
})

test('a misspelled name is reported once', async () => {
  const { problems } = await lint(
    set(`${list} responses 400`, { $ref: '#/components/responses/InvalidReqest' }),
    set(`${list} parameters 1`, { $ref: '#/components/parameters/Cursr' }),
    // Other operations refer to this one.
    rename('paths /tools/{toolId} get operationId', 'operationID'),
  )
  const rules = problems.map(({ rule }) => rule)
  expect(rules.filter((rule) => rule !== 'no-unused-components')).toEqual([
    ...['no-unresolved-refs', 'no-unresolved-refs', 'operation-operationId', 'struct'],
  ])
})

test('a default has to be valid by a reference, and by the keywords beside it', async () => {
  const size = { $ref: '#/components/schemas/Size', minimum: 5 }
  const schema = { type: 'object', properties: { width: size } }
  const defaults = [4, 7, 10].map((width) => ({ ...schema, default: { width } }))
  const { problems, locate } = await lint(
    set(`${schemas} Size`, { type: 'integer', minimum: 10, maximum: 50 }),
    set(`${fields} sizes`, { allOf: defaults }),
  )
  const reported = problems.filter(({ rule }) => rule === 'service/default-valid')
  const places = [0, 1].map((index) => locate(atValue(`${fields} sizes allOf ${index} default`)))
  expect(reported.map(({ line, col }) => ({ line, col }))).toEqual(places)
})

test('an API without security schemes does not have to say that its operations are public', async () => {
  const { problems } = await lint(remove('security'), remove('components securitySchemes'))
  const ofSecurity = problems.filter(({ rule }) => /secur/.test(rule))
  expect(ofSecurity).toEqual([])
})

test.for(['', 'read all', 'say"a"', 'a\\b', 'größe', '漢字'])(
  'the scope "%s", which is no scope token, is reported in flows and in requirements',
  async (scope) => {
    const scopes = { 'read:all': 'Read.', '!#$%[]^~': 'Others.', [scope]: 'All.' }
    const flows = { clientCredentials: { ...flow, scopes } }
    const { lines, problems, locate } = await lint(
      set(oauth, { type: 'oauth2', flows }),
      set('components securitySchemes card', { type: 'apiKey', in: 'header', name: 'X-Card' }),
      set(`${put} security`, [{ oauth: Object.keys(scopes) }, { card: [scope] }]),
    )
    const reported = problems.filter(({ rule }) => rule === 'service/scope-token')
    expect(reported.map(({ line }) => line)).toHaveLength(2)
    expect(lines.join('\n')).toContain(`the scope ${JSON.stringify(scope)}, and no 403 names it`)
    const index = Object.keys(scopes).indexOf(scope)
    const place = locate(atValue(`${put} security 0 oauth ${index}`))
    expect(problems).toContainEqual({ rule: 'service/scope-token', ...place })
  },
)

test('errors in x-common are reported there, and not at the operations', async () => {
  const common = {
    responses: { 401: { $ref: '#/components/responses/Unauthorised' } },
    requestBodyRespones: { 415: { $ref: '#/components/responses/UnsupportedMediaType' } },
  }
  const { lines, problems, locate } = await lint(set('x-common', common))
  expect(problems).toEqual([
    { rule: 'no-unresolved-refs', ...locate(atValue('x-common responses 401')) },
    { rule: 'struct', ...locate(atKey('x-common requestBodyRespones')) },
  ])
  expect(lines[0]).toMatch(/ Did you mean Unauthorized\?$/)
  expect(lines[1]).toMatch(/ Did you mean requestBodyResponses\?$/)
})

test('a missing file is reported where it is referred to, and not at examples', async () => {
  const { lines } = await lint(set(`${schemas} Kind`, { $ref: 'none.yaml' }))
  expect(lines).toContainEqual(expect.stringContaining("Can't resolve $ref none.yaml: ENOENT"))
  expect(lines.join('\n')).not.toMatch(/Example validation errored|Did you mean/)
})

// A rule fails on the first; of the other, an example cannot be validated.
test.for(['Kind', 'Tools'])(
  '%s, a part of itself, is reported where it refers to itself',
  async (name) => {
    const allOf = [{ $ref: `#/components/schemas/${name}` }]
    const circular = lint(set(`${schemas} ${name}`, { allOf, examples: ['saw'] }))
    await expect(circular).rejects.toThrow(/^.+\.yaml:\d+:\d+ no-circular-refs [^\n]+$/)
  },
)

test('bytes, forms and files need no example; a text does', async () => {
  const binary = { schema: { type: 'string', format: 'binary' } }
  const form = { schema: { type: 'object', properties: { file: binary.schema } } }
  const ofResponse = `${old} responses 200 content`
  const ofRequest = `${post} requestBody content`
  const { problems } = await lint(
    set(`${ofResponse} image/png`, {}),
    set(`${ofResponse} image/*`, {}),
    set(`${ofResponse} application/pdf`, binary),
    set(`${ofRequest} application/octet-stream`, {}),
    set(`${ofRequest} application/x-www-form-urlencoded`, form),
    set(`${ofRequest} multipart/form-data`, form),
    set(`${ofRequest} text/csv`, {}),
  )
  const rules = problems.map(({ rule }) => rule)
  expect(rules.filter((rule) => rule === 'service/media-type-example')).toHaveLength(1)
})

test('a keyword of OpenAPI 3.0 is reported with that of 3.1, before examples', async () => {
  const { lines } = await lint(set(`${fields} status nullable`, true))
  const [first, ...others] = lines
  expect(first).toMatch(/ Property `nullable` is not expected here\. .* type: \[string, "null"\]/)
  expect(others).toContainEqual(expect.stringContaining('no-invalid-media-type-examples'))
})

test.for([
  ['4.0.0', 'It is OpenAPI 4.0.0'],
  [3.1, 'It is OpenAPI 3.1'],
  ['2.0', 'It is OpenAPI 2.0'],
  [null, 'It is no OpenAPI description'],
] as const)(
  'openapi: %s is reported with file and line, and what is allowed',
  async ([version, what]) => {
    const line = new RegExp(
      `:\\d+:\\d+ openapi-version ${what}; it must begin with openapi: 3\\.0\\.x,`,
    )
    await expect(lint(set('openapi', version))).rejects.toThrow(line)
  },
)

/** An edit that the linter rejects. */
interface LintEdit {
  readonly rule: string
  readonly edit: Edit
  readonly place: Place
}

const object = { type: 'object', properties: { a: { type: 'array', items: { type: 'string' } } } }

/** Edits that the linter rejects; those of one description do not disturb each other. */
const rejected: readonly (readonly LintEdit[])[] = [
  [
    wrong('service/version', 'info version', '1.2'),
    wrong('service/one-base-path', 'servers 1 url', '/v2'),
    extra('service/path-parameter-name', 'paths /tools/{größe}', {}),
    wrong('service/operation-id-casing', `${patch} operationId`, 'a_b'),
    wrong('struct', `${post} requestBody x-max-bytes`, 'a'),
    extra('service/exact-statuses', `${list} responses 5XX`, {
      $ref: '#/components/responses/NotFound',
    }),
    lacks('service/body-limit', `${put} requestBody x-max-bytes`),
    lacks('service/operation-statuses', `${old} responses 401`),
    lacks('service/body-statuses', `${post} responses 415`),
    wrong('service/pagination-declared', paged, 'page'),
    lacks('service/undeclared-operations', 'x-framing-response', atKey('openapi')),
    lacks('service/response-headers', `${list} responses 200 headers X-Request-Id`),
    lacks('service/allow', `${response} MethodNotAllowed headers Allow`),
    lacks('service/www-authenticate', `${response} Unauthorized headers WWW-Authenticate`),
    lacks('service/retry-after', `${response} TooManyRequests headers Retry-After`),
    lacks(
      'service/deprecation-headers',
      'x-common deprecationHeaders Sunset',
      atKey(`${old} responses 404`),
    ),
    lacks('service/deprecation-facts', `${old} x-sunset`),
    extra('service/idempotency-authenticated', `${post} security`, []),
    extra('service/security-scheme-defined', 'security 0 partner', []),
    {
      rule: 'service/scope-declared',
      edit: together(set(oauth, oauthScheme), set(`${put} security`, [{ oauth: ['a', 'b'] }])),
      place: atValue(`${put} security 0 oauth 1`),
    },
    {
      rule: 'service/scope-token',
      edit: set(`${patch} security`, [{ apiKey: ['read all'] }]),
      place: atValue(`${patch} security 0 apiKey 0`),
    },
    extra('service/error-schema', `${notFound} ${json} schema`, { type: 'object' }),
    extra('service/open-base', `${schemas} ToolFields additionalProperties`, false),
    // Its path has parameters that the path of the deprecated operation does not have.
    wrong('service/replacement-link', `${old} x-replaced-by operationId`, 'getLoan'),
    extra('service/condition-in-all-of', `${schemas} NewDrill if`, { required: ['power'] }),
    wrong('service/default-valid', `${limit} schema default`, 101),
    wrong('service/known-format', `${fields} name format`, 'zip-code'),
    lacks('service/safe-integer-bounds', `${schemas} Id maximum`),
    lacks('service/component-schema-example', `${schemas} Kind examples`),
    lacks('service/media-type-example', `${response} Unavailable ${json} examples`),
    lacks('service/parameter-example', `${parameters} Kind example`),
    lacks('service/parameter-example', `${parameters} ToolId example`),
    lacks('service/header-example', `${headers} Allow example`),
    wrong('service/header-example-valid', `${headers} Cache-Control example`, 'a'),
    wrong('service/linear-pattern', `${headers} Link schema pattern`, '^([A-Z'),
    wrong('service/sunset-announced', `${limit} deprecated`, true),
  ],
  [
    wrong('service/server-path', 'servers 1 url', 'https://{region}.example.org/{version}'),
    {
      rule: 'operation-operationId-unique',
      edit: set(`${post} operationId`, 'getManual'),
      place: atKey(`${old} operationId`),
    },
    wrong('service/replacement-link', `${old} x-replaced-by url`, 'a page'),
    lacks('service/undeclared-statuses', `${undeclared} 405`, atKey(`${undeclared} 204`)),
    lacks('service/response-headers', `${notFound} headers`),
    wrong('service/deprecation-dates', `${old} x-sunset`, '2030-02-31'),
    wrong('service/deprecation-dates', `${fields} note x-sunset`, '2020-31-31'),
    renamed('service/open-base', `${schemas} NewDrill ${unevaluated}`, 'additionalProperties'),
    wrong('service/operation-id-free', `${put} operationId`, 'then'),
    wrong('service/safe-integer-range', `${schemas} Id maximum`, 2 ** 53),
    wrong('service/enum-values', `${fields} name enum`, []),
    renamed('service/media-type-name', media, 'json'),
    lacks('service/operation-security', 'security', atKey(list)),
    extra('service/parameter-example', `${parameters} Cursor example`, 'AAAA'),
  ],
  [
    wrong('service/sunset-after-deprecation', `${old} x-sunset`, '2026-11-20'),
    wrong('service/replacement-exists', `${old} x-replaced-by operationId`, 'a'),
    wrong('no-invalid-media-type-examples', `${notFound} ${json} ${example} status`, 405),
    wrong('service/linear-pattern', `${headers} Link schema pattern`, '^((?:ab)+)+$'),
    lacks('service/pagination-declared', `${list} responses 200 headers Link`, atValue(paged)),
    // Keywords that nothing implements, and one that has no effect on the type beside it.
    unserved('jsonSchemaDialect', 'https://spec.openapis.org/oas/3.1/dialect/base'),
    extra('service/media-type-effect', `${notFound} ${json} x-item-schema`, {}),
    unserved(`${fields} name contentEncoding`, 'base64'),
    unserved(`${fields} name minimum`, 1),
    // Keywords beside a `$ref`, which the service enforces as it does others.
    wrong('service/linear-pattern', `${fields} status pattern`, '^(?:[a-z]+)+$'),
    unserved(`${fields} status maximum`, 3),
    unserved(`${fields} status maxlength`, 3),
    // Objects inherit a member of this name.
    extra('struct', `${fields} name constructor`, 3),
    // Forms of parameters that have no meaning.
    extra('service/parameter-form', `${parameters} Kind style`, 'deepObject'),
    extra('service/parameter-form', `${parameters} Tags style`, 'simple'),
    extra('service/parameter-form', `${parameters} Weight content`, { 'application/xml': {} }),
    {
      rule: 'service/error-headers',
      edit: together(
        set(`${headers} X-Total required`, true),
        set(`${response} TooManyRequests headers X-Total`, total),
      ),
      place: atKey(`${response} TooManyRequests headers X-Total`),
    },
  ],
]

/** A value that is wrong is reported where it is. */
function wrong(rule: string, path: string, value: unknown): LintEdit {
  return { rule, edit: set(path, value), place: atValue(path) }
}

/** A key that is wrong, or has a value that is, is reported where it is. */
function extra(rule: string, path: string, value: unknown): LintEdit {
  return { rule, edit: set(path, value), place: atKey(path) }
}

/** What the service does not serve is reported at its key. */
function unserved(path: string, value: unknown): LintEdit {
  return extra('service/known-keywords', path, value)
}

/** A key that is missing is reported at the key of what lacks it, or at another place. */
function lacks(rule: string, path: string, place?: Place): LintEdit {
  const parent = atKey(path.slice(0, path.lastIndexOf(' ')))
  return { rule, edit: remove(path), place: place ?? parent }
}

/** A name that is wrong is reported where it is. */
function renamed(rule: string, path: string, name: string): LintEdit {
  const place = atKey(path.slice(0, path.lastIndexOf(' ') + 1) + name)
  return { rule, edit: rename(path, name), place }
}

const edited = await Promise.all(
  rejected.map(async (rows) => {
    const { problems, locate } = await lint(...rows.map(({ edit }) => edit))
    return rows.map(({ rule, place }) => ({ rule, ...place, ...locate(place), problems }))
  }),
)

test.for(edited.flat())('$rule reports an edit at the $mark $path', (row) => {
  const { rule, line, col, problems } = row
  expect(problems).toContainEqual({ rule, line, col })
})

test('parameters may have every style that OpenAPI defines for their location, and any schema', async () => {
  const { problems } = await lint(
    set(`${parameters} Tags style`, 'pipeDelimited'),
    set(`${parameters} Tags allowReserved`, true),
    set(`${parameters} Ids style`, 'spaceDelimited'),
    set(`${parameters} Kind schema`, object),
    set(`${parameters} Kind style`, 'deepObject'),
    set(`${parameters} Kind example`, { a: ['b'] }),
    set(`${parameters} Shelf schema`, { type: ['array', 'null'], items: { type: 'integer' } }),
    set(`${parameters} Shelf example`, [1]),
    set(`${parameters} Trace schema`, { anyOf: [{ type: 'integer' }, { enum: ['all'] }] }),
    set(`${parameters} Trace example`, 'all'),
    set(`${parameters} ToolId style`, 'matrix'),
  )
  // The edits replace the only references to some schemas.
  const rules = problems.map(({ rule }) => rule)
  expect(rules.filter((rule) => rule !== 'no-unused-components')).toEqual([])
})
