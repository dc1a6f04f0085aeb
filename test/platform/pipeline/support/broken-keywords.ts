import type { BrokenPromise } from './broken-promises.ts'
import { atKey, atValue, type Edit, type Place, remove, rename, set } from './spec-edit.ts'

const list = 'paths /tools get'
const post = 'paths /tools post'
const media = `${post} requestBody content application/json`
const limit = 'components parameters Limit'
const key = 'components securitySchemes apiKey'
const schemas = 'components schemas'
const name = `${schemas} ToolFields properties name`
const link = 'components headers Link'

/** Edits that one rule reports, each at its place; they are made in one description. */
export interface BrokenTogether {
  readonly rule: string
  readonly edits: readonly Edit[]
  readonly places: readonly Place[]
}

/** Keywords that nothing implements, and keywords that have no effect on the type beside them. */
const unknown: (readonly [path: string, value: unknown])[] = [
  ['webhooks', {}],
  ['jsonSchemaDialect', 'https://json-schema.org/draft/2020-12/schema'],
  ['paths /tools servers', [{ url: '/v1' }]],
  [`${post} servers`, [{ url: '/v1' }]],
  [`${post} callbacks`, {}],
  [`${post} responses 201 links`, { one: { operationId: 'getTool' } }],
  [`${media} encoding`, { name: { contentType: 'text/plain' } }],
  [`${limit} allowEmptyValue`, true],
  [`${limit} allowReserved`, true],
  [`${link} style`, 'simple'],
  ['components parameters ToolId style', 'label'],
  [`${name} contentEncoding`, 'base64'],
  [`${name} xml`, { name: 'name' }],
  [`${name} $anchor`, 'name'],
  [`${limit} schema maxLength`, 3],
  [`${schemas} Id pattern`, '^1$'],
  [`${name} minimum`, 1],
  [`${schemas} Status minItems`, 1],
  [`${schemas} Tools maxProperties`, 1],
]

const patterns = [
  ...['^([A-Za-z]+)+$', '^(?:[a-z]|[a-z0-9])+$', '^((?:ab)+)+$', '^[a-z]+[a-z0-9]*x$', '\\s+$'],
  ...['^([A-Z', '^\\-$'],
]
const patternPaths = patterns.map((_, index) => `${schemas} ToolFields properties p${index}`)

export const brokenTogether: readonly BrokenTogether[] = [
  {
    rule: 'service/known-keywords',
    edits: unknown.map(([path, value]) => set(path, value)),
    places: unknown.map(([path]) => atKey(path)),
  },
  {
    rule: 'service/linear-pattern',
    edits: patterns.map((pattern, index) =>
      set(patternPaths[index] ?? '', { description: 'A.', type: 'string', pattern }),
    ),
    places: patternPaths.map((path) => atValue(`${path} pattern`)),
  },
]

const requests: BrokenPromise[] = [
  [
    'rule/server-path',
    set('servers 1 url', '/{stage}'),
    atValue('servers 1 url'),
    /^no-undef|one-b/,
  ],
  [
    'rule/body-media-type',
    rename(media, 'application/x-www-form-urlencoded'),
    atKey(`${post} requestBody content application/x-www-form-urlencoded`),
  ],
  [
    'rule/body-media-type',
    set(`${post} requestBody content application/xml`, { example: {} }),
    atKey(`${post} requestBody content application/xml`),
  ],
  ['operation-tag-defined', set(`${post} tags 0`, 'Toys'), atValue(`${post} tags 0`)],
  ...['limit', 'status'].map((parameter): BrokenPromise => {
    const path = `${list} x-paginated-by`
    return ['service/pagination-declared', set(path, parameter), atValue(path)]
  }),
  [
    'service/pagination-declared',
    remove('components parameters Cursor schema pattern'),
    atValue(`${list} x-paginated-by`),
  ],
]

const security: BrokenPromise[] = [
  ...[[], [{ apiKey: [] }, {}]].map(
    (value): BrokenPromise => [
      'service/idempotency-authenticated',
      set(`${post} security`, value),
      atKey(`${post} security`),
    ],
  ),
  [
    'rule/security-scheme-name',
    set('components securitySchemes partner', { type: 'http', scheme: 'bearer' }),
    atKey('components securitySchemes partner'),
  ],
  ['rule/security-scheme-type', set(`${key} type`, 'apiKey'), atValue(`${key} type`), /^struct$/],
  ['rule/security-scheme', set(`${key} scheme`, 'basic'), atValue(`${key} scheme`)],
  ['rule/security-scopes', set('security 0 apiKey', ['pets:write']), atValue('security 0 apiKey')],
]

const schemaValues: BrokenPromise[] = [
  [
    'service/linear-pattern',
    set(`${link} schema pattern`, '^([A-Z'),
    atValue(`${link} schema pattern`),
  ],
  ...['Limit schema', 'Cursor schema'].map((parameter): BrokenPromise => {
    const path = `components parameters ${parameter} type`
    return ['struct', set(path, 'int'), atValue(path), /^service\/pagination-declared$/]
  }),
  ['struct', set(`${link} schema type`, 'text'), atValue(`${link} schema type`)],
  ['service/known-format', set(`${schemas} Status format`, 'int32'), formatOf('Status')],
  ['service/known-format', set(`${schemas} Id format`, 'date'), formatOf('Id')],
]

function formatOf(schema: string): Place {
  return atValue(`${schemas} ${schema} format`)
}

/** Edits that write what the service does not implement, or what it cannot work with. */
export const keywords: BrokenPromise[] = [...requests, ...security, ...schemaValues]
