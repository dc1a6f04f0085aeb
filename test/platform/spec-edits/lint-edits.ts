import {
  atKey,
  atValue,
  type Edit,
  remove,
  rename,
  set,
  type TestDatabase,
} from '../../helpers/spec-edit.ts'

/** An edit that the linter rejects. */
export interface LintEdit {
  readonly rule: string
  readonly edit: Edit
  readonly db: TestDatabase
  /** Other rules that report the same edit. */
  readonly others?: RegExp | undefined
}

const list = 'paths /tools get'
const post = 'paths /tools post'
const put = 'paths /tools/{toolId} put'
const patch = 'paths /tools/{toolId} patch'
const old = 'paths /tools/{toolId}/manual get'
const paged = `${list} x-paginated-by`
const media = `${post} requestBody content application/json`
const response = 'components responses'
const headers = 'components headers'
const limit = 'components parameters Limit'
const cursor = 'components parameters Cursor schema'
const key = 'components securitySchemes apiKey'
const schemas = 'components schemas'
const fields = `${schemas} ToolFields properties`
const notFound = 'components responses NotFound'
const outside = 'x-outside-operations'
const unevaluated = 'unevaluatedProperties'
const example = 'examples notFound value'
const bearer = { type: 'http', scheme: 'bearer' }
const json = 'content application/json'

// Keywords that nothing implements, and keywords that have no effect on the type beside them.
const unknownKeywords: readonly (readonly [path: string, value: unknown])[] = [
  ['webhooks', {}],
  [`${post} responses 201 links`, { one: { operationId: 'getTool' } }],
  [`${limit} allowEmptyValue`, true],
  [`${fields} name contentEncoding`, 'base64'],
  [`${limit} schema maxLength`, 3],
  [`${fields} name minimum`, 1],
]

const patterns = ['^((?:ab)+)+$', '\\s+$', '^\\-$']

/** Edits that the linter rejects; those of one description do not disturb each other. */
export const rejected: readonly (readonly LintEdit[])[] = [
  [
    wrong('rule/version', 'info version', '1.2'),
    wrong('service/one-base-path', 'servers 1 url', '/v2'),
    lacks('operation-operationId', `${put} operationId`),
    wrong('rule/operation-id-casing', `${patch} operationId`, 'a_b'),
    wrong('struct', `${post} requestBody x-max-bytes`, 'a'),
    extra('rule/exact-statuses', `${post} responses 4XX`, {
      $ref: '#/components/responses/NotFound',
    }),
    lacks('rule/body-limit', `${put} requestBody x-max-bytes`),
    lacks('rule/operation-statuses', `${old} responses 401`),
    lacks('rule/body-statuses', `${post} responses 415`),
    wrong('service/pagination-declared', paged, 'page'),
    lacks('rule/outside-operations', 'x-framing-response', atKey('openapi')),
    lacks('rule/response-headers', `${list} responses 200 headers X-Request-Id`),
    lacks('rule/allow', `${response} MethodNotAllowed headers Allow`),
    lacks('rule/www-authenticate', `${response} Unauthorized headers WWW-Authenticate`),
    lacks('rule/retry-after', `${response} TooManyRequests headers Retry-After`),
    lacks('rule/deprecation-headers', `${notFound} headers Sunset`),
    lacks('rule/deprecation-facts', `${old} x-sunset`),
    wrong('operation-tag-defined', `${post} tags 0`, 'Toys'),
    extra('service/idempotency-authenticated', `${post} security`, []),
    extra('rule/security-scheme-name', 'components securitySchemes partner', bearer),
    wrong('rule/security-scheme', `${key} scheme`, 'basic'),
    wrong('rule/security-scopes', 'security 0 apiKey', ['tools:write']),
    extra('service/error-schema', `${notFound} ${json} schema`, { type: 'object' }),
    extra('service/open-base', `${schemas} ToolFields additionalProperties`, false),
    wrong('service/default-valid', `${limit} schema default`, 101),
    wrong('service/known-format', `${fields} name format`, 'zip-code'),
    lacks('rule/safe-integer-bounds', `${schemas} Id maximum`),
    lacks('service/component-schema-example', `${schemas} Kind examples`),
    lacks('rule/media-type-example', `${response} Unavailable ${json} examples`),
    lacks('rule/parameter-example', 'components parameters Kind example'),
    lacks('rule/header-example', `${headers} Allow example`),
    wrong('no-invalid-schema-examples', `${schemas} Status examples 0`, 'a'),
    wrong('no-invalid-parameter-examples', `${limit} example`, 101),
    wrong('service/header-example-valid', `${headers} Cache-Control example`, 'a'),
    wrong('service/linear-pattern', `${headers} Link schema pattern`, '^([A-Z'),
  ],
  [
    wrong('rule/server-path', 'servers 1 url', '/{stage}', /^no-undef|one-b/),
    {
      rule: 'operation-operationId-unique',
      edit: set(`${post} operationId`, 'getManual'),
      db: atKey(`${old} operationId`),
    },
    extra(
      'operation-4xx-response',
      `${put} responses`,
      { 204: { $ref: '#/components/responses/Options' } },
      /^rule\/(?:operation|body)-statuses$/,
    ),
    lacks('rule/outside-statuses', `${outside} 405`, atKey(`${outside} 204`)),
    wrong('service/pagination-declared', paged, 'limit'),
    lacks('rule/response-headers-present', `${notFound} headers`, atKey(`${notFound} description`)),
    lacks('rule/deprecation-facts', `${old} x-replaced-by`),
    wrong('rule/deprecation-dates', `${old} x-sunset`, '2030-02-31'),
    lacks('service/error-schema', `${notFound} content`),
    renamed('service/open-base', `${schemas} NewDrill ${unevaluated}`, 'additionalProperties'),
    wrong('rule/operation-id-free', `${put} operationId`, 'then'),
    {
      rule: 'service/default-valid',
      edit: set(`${fields} bought default`, 'today'),
      db: atValue(`${fields} bought default`),
    },
    wrong('rule/safe-integer-range', `${schemas} Id maximum`, 2 ** 53),
    renamed('rule/media-type-name', media, 'json', /^rule\/body-media-type$/),
    renamed('rule/error-media-type', `${response} Unavailable ${json}`, 'application/problem+json'),
    wrong('rule/security-scheme-type', `${key} type`, 'apiKey', /^struct$/),
  ],
  [
    wrong('service/sunset-after-deprecation', `${old} x-sunset`, '2026-11-20'),
    wrong('service/replacement-exists', `${old} x-replaced-by operationId`, 'a'),
    wrong('no-invalid-media-type-examples', `${notFound} ${json} ${example} status`, 405),
    renamed('rule/body-media-type', media, 'application/x-www-form-urlencoded'),
    ...patterns.map((pattern, index) => ({
      rule: 'service/linear-pattern',
      edit: set(`${fields} p${index}`, { description: 'A.', type: 'string', pattern }),
      db: atValue(`${fields} p${index} pattern`),
    })),
  ],
  [
    lacks('service/pagination-declared', `${list} responses 200 headers Link`, atValue(paged)),
    ...unknownKeywords.map(([path, value]) => extra('service/known-keywords', path, value)),
  ],
  [
    lacks('service/pagination-declared', `${cursor} pattern`, atValue(paged)),
    {
      rule: 'service/error-headers',
      edit: set(`${headers} Sunset required`, true),
      db: atKey(`${response} TooManyRequests headers Sunset`),
      // The other shared responses have it as well.
      others: /^service\/error-headers$/,
    },
  ],
  [wrong('struct', `${cursor} type`, 'int', /^service\/pagination-declared$/)],
]

/** A value that is wrong is reported where it is. */
function wrong(rule: string, path: string, value: unknown, others?: RegExp): LintEdit {
  return { rule, edit: set(path, value), db: atValue(path), others }
}

/** A key that is wrong, or has a value that is, is reported where it is. */
function extra(rule: string, path: string, value: unknown, others?: RegExp): LintEdit {
  return { rule, edit: set(path, value), db: atKey(path), others }
}

/** A key that is missing is reported at the key of what lacks it, or at another place. */
function lacks(rule: string, path: string, db?: TestDatabase): LintEdit {
  const parent = atKey(path.slice(0, path.lastIndexOf(' ')))
  return { rule, edit: remove(path), db: db ?? parent }
}

/** A name that is wrong is reported where it is. */
function renamed(rule: string, path: string, name: string, others?: RegExp): LintEdit {
  const db = atKey(path.slice(0, path.lastIndexOf(' ') + 1) + name)
  return { rule, edit: rename(path, name), db, others }
}
