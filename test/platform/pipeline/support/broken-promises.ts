import { keywords } from './broken-keywords.ts'
import { examples, schemasAndMediaTypes } from './broken-schemas.ts'
import { atKey, atValue, type Edit, type Place, remove, set } from './spec-edit.ts'

const post = 'paths /tools post'
const page = 'paths /tools get responses 200'
const old = 'paths /tools/{toolId}/manual get'
const answers = 'components responses'
const missing = `${answers} NotFound`
const busy = `${answers} IdempotencyInProgress headers`
const wrong = `${answers} MethodNotAllowed headers`
const refused = `${answers} Unauthorized headers`
const limited = `${answers} TooManyRequests headers`
const headers = 'components headers'
const refusal = { $ref: '#/components/responses/NotFound' }

/**
 * The rule that speaks, the edit of the spec that breaks its promise, where it points, and which
 * other rules speak along.
 */
export type BrokenPromise = readonly [
  rule: string,
  edit: Edit,
  place: Place,
  along?: RegExp | undefined,
]

const operations: BrokenPromise[] = [
  ['rule/version', set('info version', '1.2'), atValue('info version')],
  ['service/one-base-path', set('servers 1 url', '/v2'), atValue('servers 1 url')],
  ['operation-operationId', remove(`${post} operationId`), atKey(post)],
  [
    'operation-operationId-unique',
    set(`${post} operationId`, 'getManual'),
    atKey(`${old} operationId`),
  ],
  ['rule/operation-id-casing', set(`${post} operationId`, 'a_b'), atValue(`${post} operationId`)],
  [
    'struct',
    set(`${post} requestBody x-max-bytes`, 'a'),
    atValue(`${post} requestBody x-max-bytes`),
  ],
  ['rule/exact-statuses', set(`${post} responses 4XX`, refusal), atKey(`${post} responses 4XX`)],
  [
    'rule/exact-statuses',
    set(`${post} responses default`, refusal),
    atKey(`${post} responses default`),
  ],
  ['rule/body-limit', remove(`${post} requestBody x-max-bytes`), atKey(`${post} requestBody`)],
  [
    'operation-4xx-response',
    set(`${post} responses`, { 204: { $ref: '#/components/responses/Options' } }),
    atKey(`${post} responses`),
    /^rule\/(?:operation|body)-statuses$/,
  ],
  ['rule/operation-statuses', remove(`${old} responses 401`), atKey(`${old} responses`)],
  ['rule/body-statuses', remove(`${post} responses 415`), atKey(`${post} responses`)],
  ['rule/outside-statuses', remove('x-outside-operations 405'), atKey('x-outside-operations 204')],
  [
    'service/pagination-declared',
    set('paths /tools get x-paginated-by', 'page'),
    atValue('paths /tools get x-paginated-by'),
  ],
  [
    'service/pagination-declared',
    remove(`${page} headers Link`),
    atValue('paths /tools get x-paginated-by'),
  ],
  ['rule/outside-operations', remove('x-framing-response'), atKey('openapi')],
]

const headersOfResponses: BrokenPromise[] = [
  ['rule/response-headers', remove(`${page} headers X-Request-Id`), atKey(`${page} headers`)],
  [
    'rule/response-headers',
    remove(`${missing} headers Cache-Control`),
    atKey(`${missing} headers`),
  ],
  ['rule/response-headers', remove(`${wrong} Cache-Control`), atKey(wrong)],
  ['rule/allow', remove(`${wrong} Allow`), atKey(wrong)],
  ['rule/response-headers-present', remove(`${missing} headers`), atKey(`${missing} description`)],
  ['rule/www-authenticate', remove(`${refused} WWW-Authenticate`), atKey(refused)],
  ['rule/retry-after', remove(`${limited} Retry-After`), atKey(limited)],
  ['service/refusal-headers', set(`${headers} Sunset required`, true), atKey(`${limited} Sunset`)],
  ['rule/retry-after', remove(`${busy} Retry-After`), atKey(busy)],
]

const deprecations: BrokenPromise[] = [
  ['rule/deprecation-facts', remove(`${old} x-sunset`), atKey(old)],
  ['rule/deprecation-facts', remove(`${old} x-replaced-by`), atKey(old)],
  ['rule/deprecation-dates', set(`${old} x-sunset`, '2030-02-31'), atValue(`${old} x-sunset`)],
  [
    'service/sunset-after-deprecation',
    set(`${old} x-sunset`, '2026-11-20'),
    atValue(`${old} x-sunset`),
  ],
  [
    'service/replacement-exists',
    set(`${old} x-replaced-by operationId`, 'a'),
    atValue(`${old} x-replaced-by operationId`),
  ],
  ['rule/deprecation-headers', remove(`${missing} headers Sunset`), atKey(`${missing} headers`)],
]

/** One edit for every promise that the linter holds. */
export const brokenPromises: readonly BrokenPromise[] = [
  ...operations,
  ...headersOfResponses,
  ...deprecations,
  ...schemasAndMediaTypes,
  ...examples,
  ...keywords,
]
