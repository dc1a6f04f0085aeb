import { atKey, atValue, type Edit, type Place, remove, rename, set } from './spec-edit.ts'

const post = 'paths /pets post'
const page = 'paths /pets get responses 200'
const old = 'paths /pets/{petId} get'
const answers = 'components responses'
const missing = `${answers} NotFound`
const missingJson = `${missing} content application/json`
const busy = `${answers} IdempotencyInProgress headers`
const wrong = `${answers} MethodNotAllowed headers`
const refused = `${answers} Unauthorized headers`
const limited = `${answers} TooManyRequests headers`
const schemas = 'components schemas'
const headers = 'components headers'
const limit = 'components parameters Limit'

/** The rule that speaks, the edit of the spec that breaks its promise, and where it points. */
export type BrokenPromise = readonly [rule: string, edit: Edit, place: Place]

const operations: BrokenPromise[] = [
  ['service/one-base-path', set('servers 2 url', '/v2'), atValue('servers 2 url')],
  ['operation-operationId', remove(`${post} operationId`), atKey(post)],
  [
    'operation-operationId-unique',
    set(`${post} operationId`, 'getPet'),
    atKey(`${old} operationId`),
  ],
  ['rule/operation-id-casing', set(`${post} operationId`, 'a_b'), atValue(`${post} operationId`)],
  [
    'struct',
    set(`${post} requestBody x-max-bytes`, 'a'),
    atValue(`${post} requestBody x-max-bytes`),
  ],
  ['rule/exact-statuses', rename(`${post} responses 400`, '4XX'), atKey(`${post} responses 4XX`)],
  [
    'rule/exact-statuses',
    rename(`${post} responses 413`, 'default'),
    atKey(`${post} responses default`),
  ],
  [
    'operation-4xx-response',
    set(`${post} responses`, { 204: { $ref: '#/components/responses/Options' } }),
    atKey(`${post} responses`),
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

const schemasAndMediaTypes: BrokenPromise[] = [
  [
    'service/error-schema',
    set(`${missingJson} schema`, { type: 'object' }),
    atKey(`${missingJson} schema`),
  ],
  ['service/error-schema', remove(`${missing} content`), atKey(missing)],
  [
    'service/open-base',
    set(`${schemas} PetFields additionalProperties`, false),
    atKey(`${schemas} PetFields additionalProperties`),
  ],
  [
    'service/open-base',
    rename(`${schemas} NewPet unevaluatedProperties`, 'additionalProperties'),
    atKey(`${schemas} NewPet additionalProperties`),
  ],
  ['rule/safe-integer-bounds', remove(`${schemas} Id maximum`), atKey(`${schemas} Id`)],
  [
    'rule/safe-integer-range',
    set(`${schemas} Id maximum`, 2 ** 53),
    atValue(`${schemas} Id maximum`),
  ],
  [
    'rule/media-type-name',
    rename(`${post} requestBody content application/json`, 'json'),
    atKey(`${post} requestBody content json`),
  ],
  [
    'rule/error-media-type',
    rename(missingJson, 'application/problem+json'),
    atKey(`${missing} content application/problem+json`),
  ],
]

const examples: BrokenPromise[] = [
  [
    'service/component-schema-example',
    remove(`${schemas} PetStatus examples`),
    atKey(`${schemas} PetStatus`),
  ],
  ['rule/media-type-example', remove(`${missingJson} examples`), atKey(missingJson)],
  ['rule/parameter-example', remove(`${limit} example`), atKey(limit)],
  ['rule/header-example', remove(`${headers} Allow example`), atKey(`${headers} Allow`)],
  [
    'no-invalid-schema-examples',
    set(`${schemas} PetStatus examples 0`, 'a'),
    atValue(`${schemas} PetStatus examples 0`),
  ],
  [
    'no-invalid-media-type-examples',
    set(`${missingJson} examples notFound value status`, 405),
    atValue(`${missingJson} examples notFound value status`),
  ],
  ['no-invalid-parameter-examples', set(`${limit} example`, 101), atValue(`${limit} example`)],
  [
    'service/header-example-valid',
    set(`${headers} Cache-Control example`, 'a'),
    atValue(`${headers} Cache-Control example`),
  ],
]

/** One edit for every promise that the linter holds. */
export const brokenPromises: readonly BrokenPromise[] = [
  ...operations,
  ...headersOfResponses,
  ...deprecations,
  ...schemasAndMediaTypes,
  ...examples,
]
