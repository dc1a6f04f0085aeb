import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type RuleId, ruleAreas, rules } from '../../../scripts/diff/rules/index.ts'
import { printRulesPage } from '../../../scripts/diff/rules/page.ts'
import {
  rulesOfSchemas,
  type SchemaRuleId,
  type SchemaStem,
  schemaRules,
} from '../../../scripts/diff/rules/schemas.ts'
import { type Slot, slots } from '../../../scripts/diff/rules/slots.ts'
import { project } from '../../helpers/program.ts'
import { describe, findChanges, ofOperation, type Patch, placeSchema } from './support/snippets.ts'

const text = { type: 'string' }
const short = { maxLength: 3 }
const number = { type: 'number' }
const list = { type: 'array', items: text }
const object = { type: 'object' }
const form = (kind: string) => ({
  ...object,
  required: ['kind'],
  properties: { kind: { const: kind } },
})
const loose = {
  oneOf: [
    { type: 'string', maxLength: 5 },
    { type: 'string', minLength: 3 },
  ],
}
const mapped = (mapping: object, propertyName = 'kind') => ({
  oneOf: [form('a'), form('b')],
  discriminator: { propertyName, mapping },
})
const [ofA, ofB] = ['A', 'B'].map((name) => `#/components/schemas/${name}`)
const limit = (
  keyword: string,
  type: object,
  before: number | undefined,
  after: number | undefined,
) => {
  const toSchema = (value: number | undefined) => ({
    ...type,
    ...(value !== undefined && { [keyword]: value }),
  })
  return [toSchema(before), toSchema(after)] as const
}
const changed = (keyword: string, before: unknown, after: unknown, type: object = text) => {
  const toSchema = (value: unknown) => ({
    ...type,
    ...(value !== undefined && { [keyword]: value }),
  })
  return [toSchema(before), toSchema(after)] as const
}

// An object that is written with `then` would be taken for a promise.
const conditional = (pattern: string) => {
  return { ...text, if: short, ...Object.fromEntries([['then', { pattern }]]) }
}

/** The schema before and after a change, for each rule of schemas. */
const schemaRows: Readonly<Record<SchemaStem, readonly [before: unknown, after: unknown]>> = {
  'type-generalized': [{ type: 'integer' }, number],
  'type-specialized': [number, { type: 'integer' }],
  'type-changed': [text, { type: 'boolean' }],
  'became-nullable': [text, { type: ['string', 'null'] }],
  'became-not-nullable': [{ type: ['string', 'null'] }, text],
  'became-allowed': [false, text],
  'became-forbidden': [text, false],
  'schema-added': [undefined, text],
  'schema-removed': [text, undefined],
  'enum-value-added': [{ enum: ['a'] }, { enum: ['a', 'b'] }],
  'enum-value-removed': [{ enum: ['a', 'b'] }, { enum: ['a'] }],
  'x-extensible-enum-value-added': changed('x-extensible-enum', ['a'], ['a', 'b']),
  'became-enum': [text, { ...text, enum: ['a'] }],
  'enum-removed': [{ ...text, enum: ['a'] }, text],
  'became-extensible-enum': [
    { ...text, enum: ['a'] },
    { ...text, 'x-extensible-enum': ['a'] },
  ],
  'became-final-enum': [
    { ...text, 'x-extensible-enum': ['a'] },
    { ...text, enum: ['a'] },
  ],
  'max-set': limit('maximum', number, undefined, 5),
  'max-decreased': limit('maximum', number, 5, 4),
  'max-increased': limit('maximum', number, 4, 5),
  'max-unset': limit('exclusiveMaximum', number, 5, undefined),
  'min-set': limit('minimum', number, undefined, 1),
  'min-increased': limit('exclusiveMinimum', number, 1, 2),
  'min-decreased': limit('minimum', number, 2, 1),
  'min-unset': limit('minimum', number, 1, undefined),
  'max-length-set': limit('maxLength', text, undefined, 5),
  'max-length-decreased': limit('maxLength', text, 5, 4),
  'max-length-increased': limit('maxLength', text, 4, 5),
  'max-length-unset': limit('maxLength', text, 5, undefined),
  'min-length-set': limit('minLength', text, undefined, 1),
  'min-length-increased': limit('minLength', text, 1, 2),
  'min-length-decreased': limit('minLength', text, 2, 1),
  'min-length-unset': limit('minLength', text, 1, undefined),
  'max-items-set': limit('maxItems', list, undefined, 5),
  'max-items-decreased': limit('maxItems', list, 5, 4),
  'max-items-increased': limit('maxItems', list, 4, 5),
  'max-items-unset': limit('maxItems', list, 5, undefined),
  'min-items-set': limit('minItems', list, undefined, 1),
  'min-items-increased': limit('minItems', list, 1, 2),
  'min-items-decreased': limit('minItems', list, 2, 1),
  'min-items-unset': limit('minItems', list, 1, undefined),
  'max-properties-set': limit('maxProperties', object, undefined, 5),
  'max-properties-decreased': limit('maxProperties', object, 5, 4),
  'max-properties-increased': limit('maxProperties', object, 4, 5),
  'max-properties-unset': limit('maxProperties', object, 5, undefined),
  'min-properties-set': limit('minProperties', object, undefined, 1),
  'min-properties-increased': limit('minProperties', object, 1, 2),
  'min-properties-decreased': limit('minProperties', object, 2, 1),
  'min-properties-unset': limit('minProperties', object, 1, undefined),
  'pattern-added': changed('pattern', undefined, '^a'),
  'pattern-changed': changed('pattern', '^a', '^b'),
  'pattern-removed': changed('pattern', '^a', undefined),
  'format-added': changed('format', undefined, 'date'),
  'format-changed': changed('format', 'date', 'time'),
  'format-generalized': changed('format', 'int32', 'int64', { type: 'integer' }),
  'format-specialized': changed('format', 'double', 'float', number),
  'format-removed': changed('format', 'date', undefined),
  'multiple-of-added': changed('multipleOf', 2, 4, { type: 'integer' }),
  'multiple-of-changed': changed('multipleOf', 2, 3, { type: 'integer' }),
  'multiple-of-removed': changed('multipleOf', 4, 2, { type: 'integer' }),
  'content-encoding-added': changed('contentEncoding', undefined, 'base64'),
  'content-encoding-changed': changed('contentEncoding', 'base64', 'base32'),
  'content-encoding-removed': changed('contentEncoding', 'base64', undefined),
  'content-media-type-added': changed('contentMediaType', undefined, 'image/png'),
  'content-media-type-changed': changed('contentMediaType', 'image/png', 'image/gif'),
  'content-media-type-removed': changed('contentMediaType', 'image/png', undefined),
  'unique-items-added': changed('uniqueItems', undefined, true, list),
  'unique-items-removed': changed('uniqueItems', true, undefined, list),
  'additional-properties-added': changed('additionalProperties', false, undefined, object),
  'additional-properties-removed': changed('additionalProperties', undefined, false, object),
  'dependent-required-added': changed('dependentRequired', undefined, { a: ['b'] }, object),
  'dependent-required-removed': changed(
    'dependentRequired',
    { a: ['b', 'c'] },
    { a: ['b'] },
    object,
  ),
  'dependent-schema-added': changed(
    'dependentSchemas',
    undefined,
    { a: { minProperties: 2 } },
    object,
  ),
  'dependent-schema-removed': changed(
    'dependentSchemas',
    { a: { minProperties: 2 } },
    undefined,
    object,
  ),
  'pattern-property-added': changed('patternProperties', undefined, { '^a': short }, object),
  'pattern-property-removed': changed('patternProperties', { '^a': short }, undefined, object),
  'property-names-added': changed('propertyNames', undefined, short, object),
  'property-names-removed': changed('propertyNames', short, undefined, object),
  'unevaluated-items-added': changed('unevaluatedItems', undefined, false, {
    ...list,
    items: undefined,
    contains: text,
  }),
  'unevaluated-items-removed': changed('unevaluatedItems', false, undefined, {
    ...list,
    items: undefined,
    contains: text,
  }),
  'contains-added': changed('contains', undefined, short, list),
  'contains-changed': changed('contains', short, { minLength: 2 }, list),
  'contains-generalized': changed('maxContains', 2, 3, { ...list, contains: short }),
  'contains-specialized': changed('minContains', undefined, 2, { ...list, contains: short }),
  'contains-removed': changed('contains', short, undefined, list),
  'any-of-added': [form('a'), { anyOf: [form('a'), form('b')] }],
  'any-of-removed': [
    { anyOf: [form('a'), form('b'), form('c')] },
    { anyOf: [form('a'), form('b')] },
  ],
  'one-of-added': [loose, { oneOf: [...loose.oneOf, { type: 'string', pattern: '^a' }] }],
  'one-of-removed': [{ oneOf: [...loose.oneOf, { type: 'string', pattern: '^a' }] }, loose],
  'alternatives-added': [
    { ...object, minProperties: 1 },
    { ...object, minProperties: 1, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
  ],
  'alternatives-removed': [
    { ...object, minProperties: 1, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    { ...object, minProperties: 1 },
  ],
  'alternatives-changed': [form('c'), { anyOf: [form('a'), form('b')] }],
  'one-of-generalized': [loose, { anyOf: loose.oneOf }],
  'one-of-specialized': [{ anyOf: loose.oneOf }, loose],
  'not-added': changed('not', undefined, short),
  'not-changed': changed('not', short, { maxLength: 5 }),
  'not-removed': changed('not', short, undefined),
  'if-added': [text, conditional('^a')],
  'if-changed': [conditional('^a'), conditional('^b')],
  'if-removed': [conditional('^a'), text],
  'discriminator-added': [{ oneOf: [form('a'), form('b')] }, mapped({})],
  'discriminator-removed': [mapped({}), { oneOf: [form('a'), form('b')] }],
  'discriminator-property-name-changed': [mapped({}), mapped({}, 'type')],
  'discriminator-mapping-added': [mapped({}), mapped({ a: ofA })],
  'discriminator-mapping-changed': [mapped({ a: ofA }), mapped({ a: ofB })],
  'discriminator-mapping-deleted': [mapped({ a: ofA }), mapped({})],
  'discriminator-default-changed': [
    mapped({}),
    { ...mapped({}), discriminator: { propertyName: 'kind', mapping: {}, defaultMapping: 'A' } },
  ],
  'default-value-added': changed('default', undefined, 'a'),
  'default-value-changed': changed('default', 'a', 'b'),
  'default-value-removed': changed('default', 'a', undefined),
  'became-read-only': changed('readOnly', undefined, true),
  'became-not-read-only': changed('readOnly', true, undefined),
  'became-write-only': changed('writeOnly', undefined, true),
  'became-not-write-only': changed('writeOnly', true, undefined),
  deprecated: changed('deprecated', undefined, true),
  reactivated: changed('deprecated', true, undefined),
  'sunset-date-added': changed('x-sunset', undefined, '2030-01-01'),
  'sunset-date-postponed': changed('x-sunset', '2030-01-01', '2031-01-01'),
  'sunset-date-changed-too-small': changed('x-sunset', '2031-01-01', '2030-01-01'),
  'sunset-deleted': changed('x-sunset', '2030-01-01', undefined),
}

const forms = { components: { schemas: { A: form('a'), B: form('b') } } }
const schemaCases = Object.entries(schemaRows).flatMap(([stem, [before, after]]) =>
  slots.flatMap((slot): readonly (readonly [string, Slot, unknown, unknown])[] => {
    const id = `${slot}-${stem}`
    return Object.hasOwn(rulesOfSchemas, id) ? [[id, slot, before, after]] : []
  }),
)

test.for(schemaCases)('%s', ([id, slot, before, after]) => {
  const changes = findChanges(placeSchema(slot, before, forms), placeSchema(slot, after, forms))
  expectChange(changes, id)
})

const property = (way: 'request' | 'response' | 'error', schema: unknown) =>
  placeSchema(`${way}-body`, schema)
const closed = (properties: object, required: readonly string[] = []) => {
  return { ...object, properties, required, additionalProperties: false }
}
const param = (more: object) =>
  ofOperation({ parameters: [{ name: 'q', in: 'query', schema: text, ...more }] })
const body = (more: object) =>
  ofOperation({ requestBody: { content: { 'application/json': { schema: text } }, ...more } })
const file = { type: 'string', contentMediaType: 'application/octet-stream' }
const multipart = (properties: object, encoding: object = {}) => {
  const media = { schema: { type: 'object', properties }, encoding }
  return body({ content: { 'application/json': null, 'multipart/form-data': media } })
}
const events = (itemSchema: object) => ({ 'text/event-stream': { 'x-item-schema': itemSchema } })
const inText = { contentMediaType: 'application/json', contentSchema: object }
const respond = (more: object, status = 200) =>
  ofOperation({ responses: { [status]: { description: 'Done.', ...more } } })
const shared = (kind: string, name: string, component: object) => ({
  components: { [kind]: { [name]: component } },
})
const placed = (schema: object) => respond({ content: { 'application/json': { schema } } })
const header = (more: object) => respond({ headers: { X: { schema: text, ...more } } })
const operation = (more: object = {}) => ({
  paths: {
    '/b': { get: { operationId: 'getB', responses: { 200: { description: 'B' } }, ...more } },
  },
})
const securedBy = (security: readonly object[], scheme: object = {}) => ({
  security,
  components: {
    securitySchemes: {
      key: { type: 'http', scheme: 'bearer', ...scheme },
      other: { type: 'mutualTLS' },
    },
  },
})
const oauth = (flows: object) => securedBy([{ key: [] }], { type: 'oauth2', scheme: null, flows })
const openIdConnect = (openIdConnectUrl: string) =>
  securedBy([{ key: [] }], { type: 'openIdConnect', scheme: null, openIdConnectUrl })
const flow = (more: object = {}) => ({
  tokenUrl: 'https://a.example/',
  scopes: { read: 'Read' },
  ...more,
})
const server = (...urls: readonly string[]) => ({ servers: urls.map((url) => ({ url })) })
const host = (variable: object) => ({
  servers: [{ url: 'https://{host}/v1', variables: { host: variable } }],
})
const webhook = (more: object) => ({
  webhooks: { done: { post: { responses: { 200: { description: 'Ok' } }, ...more } } },
})
const service = (more: object) => ({ 'x-service': more })
const named = (name: string) => service({ operations: { 'POST /a': { name } } })
const variable = (name: string) => ({
  paths: {
    [`/c/{${name}}`]: {
      get: { parameters: [{ name, in: 'path', required: true, schema: text }], responses: {} },
    },
  },
})

/** The description before and after a change, for each other rule; the first two are whole, or patches of a small one. */
const otherRows: Readonly<
  Record<Exclude<RuleId, SchemaRuleId>, readonly [before: Patch, after: Patch]>
> = {
  'endpoint-added': [{}, operation()],
  'api-removed-without-deprecation': [operation(), {}],
  'api-removed-with-deprecation': [operation({ deprecated: true, 'x-sunset': '2030-01-01' }), {}],
  'path-parameter-renamed': [variable('a'), variable('b')],
  'api-operation-id-changed': [operation(), operation({ operationId: 'loadB' })],
  'api-operation-id-removed': [operation(), operation({ operationId: null })],
  'api-operation-id-added': [operation({ operationId: null }), operation()],
  'api-operation-name-changed': [named('addA'), named('createA')],
  'api-pagination-changed': [operation(), operation({ 'x-paginated-by': 'cursor' })],
  'api-pagination-style-changed': [
    operation({ 'x-redoclyPagination': { style: 'page', offsetParam: 'page', items: '' } }),
    operation({ 'x-redoclyPagination': { style: 'offset', offsetParam: 'page', items: '' } }),
  ],
  'api-pagination-removed': [operation({ 'x-paginated-by': 'cursor' }), operation()],
  'endpoint-deprecated': [operation(), operation({ deprecated: true })],
  'endpoint-reactivated': [operation({ deprecated: true }), operation()],
  'api-sunset-date-added': [operation(), operation({ 'x-sunset': '2030-01-01' })],
  'api-sunset-date-postponed': [
    operation({ 'x-sunset': '2030-01-01' }),
    operation({ 'x-sunset': '2031-01-01' }),
  ],
  'api-sunset-date-changed-too-small': [
    operation({ 'x-sunset': '2031-01-01' }),
    operation({ 'x-sunset': '2030-01-01' }),
  ],
  'sunset-deleted': [operation({ 'x-sunset': '2031-01-01' }), operation()],
  'api-facts-changed': [operation(), operation({ 'x-deprecated-at': '2026-01-01' })],
  'api-tags-changed': [operation(), operation({ tags: ['A'] })],
  'webhook-added': [{}, webhook({})],
  'webhook-removed': [webhook({}), {}],
  'webhook-changed': [
    webhook({}),
    webhook({ parameters: [{ name: 'q', in: 'query', schema: text }] }),
  ],
  'new-optional-request-parameter': [{}, param({})],
  'new-required-request-parameter': [{}, param({ required: true })],
  'request-parameter-removed': [param({}), {}],
  'request-parameter-became-required': [param({}), param({ required: true })],
  'request-parameter-became-optional': [param({ required: true }), param({})],
  'request-parameter-form-changed': [
    param({ schema: list }),
    param({ schema: list, explode: false }),
  ],
  'request-body-added-optional': [{}, body({})],
  'request-body-added-required': [{}, body({ required: true })],
  'request-body-removed': [body({}), {}],
  'request-body-became-required': [body({}), body({ required: true })],
  'request-body-became-optional': [body({ required: true }), body({})],
  'request-body-max-bytes-decreased': [body({}), body({ 'x-max-bytes': 10 })],
  'request-body-max-bytes-increased': [body({ 'x-max-bytes': 10 }), body({ 'x-max-bytes': 20 })],
  'request-body-media-type-added': [
    body({}),
    body({ content: { 'application/json': { schema: text }, 'text/plain': {} } }),
  ],
  'request-body-media-type-removed': [
    body({ content: { 'application/json': { schema: text }, 'text/plain': {} } }),
    body({}),
  ],
  'request-body-encoding-changed': [
    body({
      content: {
        'application/json': { schema: text, encoding: { a: { contentType: 'text/plain' } } },
      },
    }),
    body({}),
  ],
  'request-body-field-form-changed': [
    multipart({ a: object }),
    multipart({ a: object }, { a: { contentType: 'text/plain' } }),
  ],
  'request-body-field-media-type-added': [
    multipart({ a: file }, { a: { contentType: 'image/png' } }),
    multipart({ a: file }, { a: { contentType: 'image/png, image/gif' } }),
  ],
  'request-body-field-media-type-removed': [
    multipart({ a: file }),
    multipart({ a: file }, { a: { contentType: 'image/*' } }),
  ],
  'request-body-field-max-bytes-decreased': [
    multipart({ a: file }),
    multipart({ a: { ...file, 'x-max-bytes': 9 } }),
  ],
  'request-body-field-max-bytes-increased': [
    multipart({ a: { type: 'array', items: { ...file, 'x-max-bytes': 9 } } }),
    multipart({ a: { type: 'array', items: { ...file, 'x-max-bytes': 10 } } }),
  ],
  'request-body-items-form-changed': [
    body({ content: events({ ...object, properties: { data: text } }) }),
    body({ content: events(object) }),
  ],
  'response-success-status-added': [{}, respond({}, 202)],
  'response-success-status-removed': [respond({}, 202), {}],
  'response-non-success-status-added': [{}, respond({}, 404)],
  'response-non-success-status-removed': [respond({}, 404), {}],
  'response-media-type-added': [respond({}), respond({ content: { 'text/plain': {} } })],
  'response-media-type-removed': [respond({ content: { 'text/plain': {} } }), respond({})],
  'response-encoding-changed': [
    respond({ content: { 'multipart/form-data': { encoding: { a: { contentType: 'a/b' } } } } }),
    respond({ content: { 'multipart/form-data': {} } }),
  ],
  'response-items-form-changed': [
    respond({ content: events({ ...object, properties: { data: text } }) }),
    respond({ content: events({ ...object, properties: { data: { ...text, ...inText } } }) }),
  ],
  'response-header-added': [{}, header({})],
  'optional-response-header-removed': [header({}), {}],
  'required-response-header-removed': [header({ required: true }), {}],
  'response-header-became-required': [header({}), header({ required: true })],
  'response-header-became-optional': [header({ required: true }), header({})],
  'response-header-form-changed': [
    header({ schema: list }),
    header({ schema: list, explode: true }),
  ],
  'response-links-changed': [respond({}), respond({ links: { next: { operationId: 'addA' } } })],
  'new-required-request-property': [
    property('request', closed({})),
    property('request', closed({ a: text }, ['a'])),
  ],
  'new-optional-request-property': [
    property('request', closed({})),
    property('request', closed({ a: text })),
  ],
  'request-property-removed': [
    property('request', closed({ a: text })),
    property('request', closed({})),
  ],
  'response-required-property-added': [
    property('response', closed({})),
    property('response', closed({ a: text }, ['a'])),
  ],
  'response-optional-property-added': [
    property('response', closed({})),
    property('response', closed({ a: text })),
  ],
  'response-required-property-removed': [
    property('response', closed({ a: text }, ['a'])),
    property('response', closed({})),
  ],
  'response-optional-property-removed': [
    property('response', closed({ a: text })),
    property('response', closed({})),
  ],
  'error-property-added': [
    property('error', closed({})),
    property('error', closed({ a: text }, ['a'])),
  ],
  'error-property-removed': [property('error', closed({ a: text })), property('error', closed({}))],
  'request-property-became-required': [
    property('request', closed({ a: text })),
    property('request', closed({ a: text }, ['a'])),
  ],
  'request-property-became-optional': [
    property('request', closed({ a: text }, ['a'])),
    property('request', closed({ a: text })),
  ],
  'response-property-became-required': [
    property('response', closed({ a: text })),
    property('response', closed({ a: text }, ['a'])),
  ],
  'response-property-became-optional': [
    property('response', closed({ a: text }, ['a'])),
    property('response', closed({ a: text })),
  ],
  'error-property-became-required': [
    property('error', closed({ a: text })),
    property('error', closed({ a: text }, ['a'])),
  ],
  'error-property-became-optional': [
    property('error', closed({ a: text }, ['a'])),
    property('error', closed({ a: text })),
  ],
  'unsent-property-changed': [
    property('response', closed({ a: { ...text, writeOnly: true } })),
    property('response', closed({ a: { ...text, ...short, writeOnly: true } })),
  ],
  'api-security-added': [securedBy([]), securedBy([{ key: [] }])],
  'api-security-removed': [securedBy([{ key: [] }, { other: [] }]), securedBy([{ key: [] }])],
  'api-security-scope-added': [securedBy([{ key: [] }]), securedBy([{ key: ['admin'] }])],
  'api-security-no-longer-required': [securedBy([{ key: [] }]), securedBy([])],
  'api-security-alternative-added': [
    securedBy([{ key: [] }]),
    securedBy([{ key: [] }, { other: [] }]),
  ],
  'client-credentials-renamed': [securedBy([{ key: [] }]), securedBy([{ key: [] }, { other: [] }])],
  'api-security-component-type-changed': [
    securedBy([{ key: [] }]),
    securedBy([{ key: [] }], { scheme: 'basic' }),
  ],
  'api-security-component-credentials-changed': [
    securedBy([{ key: [] }], { bearerFormat: 'JWT' }),
    securedBy([{ key: [] }]),
  ],
  'api-security-component-deprecated': [
    securedBy([{ key: [] }]),
    securedBy([{ key: [] }], { deprecated: true }),
  ],
  'api-security-component-reactivated': [
    securedBy([{ key: [] }], { deprecated: true }),
    securedBy([{ key: [] }]),
  ],
  'api-security-component-openid-connect-url-changed': [
    openIdConnect('https://a.example/'),
    openIdConnect('https://b.example/'),
  ],
  'api-security-component-oauth-url-added': [
    oauth({ clientCredentials: flow() }),
    oauth({ clientCredentials: flow({ refreshUrl: 'https://a.example/' }) }),
  ],
  'api-security-component-oauth-url-changed': [
    oauth({ clientCredentials: flow() }),
    oauth({ clientCredentials: flow({ tokenUrl: 'https://b.example/' }) }),
  ],
  'api-security-component-oauth-flow-added': [oauth({}), oauth({ clientCredentials: flow() })],
  'api-security-component-oauth-flow-removed': [oauth({ clientCredentials: flow() }), oauth({})],
  'api-security-component-oauth-scope-added': [
    oauth({ clientCredentials: flow() }),
    oauth({ clientCredentials: flow({ scopes: { read: 'Read', write: 'Write' } }) }),
  ],
  'api-security-component-oauth-scope-removed': [
    oauth({ clientCredentials: flow() }),
    oauth({ clientCredentials: flow({ scopes: {} }) }),
  ],
  'request-setting-became-stricter': [service({ requests: { accept: 'ignore' } }), {}],
  'request-setting-became-looser': [{}, service({ requests: { paths: 'lenient' } })],
  'request-setting-changed': [
    service({ requests: { repeatedParameters: 'first' } }),
    service({ requests: { repeatedParameters: 'last' } }),
  ],
  'platform-paths-changed': [{}, service({ platformPaths: '/_platform' })],
  'server-added': [server('/a'), server('/a', '/b')],
  'server-removed': [server('/a', '/b'), server('/a')],
  'servers-reordered': [server('/a', '/b'), server('/b', '/a')],
  'server-variable-default-changed': [host({ default: 'a' }), host({ default: 'b' })],
  'server-variable-enum-narrowed': [
    host({ default: 'a', enum: ['a', 'b'] }),
    host({ default: 'a', enum: ['a'] }),
  ],
  'server-variable-enum-widened': [
    host({ default: 'a', enum: ['a'] }),
    host({ default: 'a', enum: ['a', 'b'] }),
  ],
  'server-variable-removed': [host({ default: 'a', enum: ['a'] }), server('https://a/v1')],
  'api-schema-removed': [{ components: { schemas: { A: text } } }, {}],
  'api-schema-renamed': [
    { components: { schemas: { A: text } } },
    { components: { schemas: { B: text } } },
  ],
  'component-renamed': [
    { components: { headers: { A: { schema: text } } } },
    { components: { headers: { B: { schema: text } } } },
  ],
  'api-schema-moved': [
    shared('schemas', 'A', { type: 'string', title: 'T' }),
    placed({ type: 'string', title: 'T' }),
  ],
  'component-moved': [
    shared('headers', 'A', { schema: text, description: 'T' }),
    header({ description: 'T' }),
  ],
  'component-extracted': [
    placed({ type: 'string', title: 'T' }),
    {
      ...shared('schemas', 'A', { type: 'string', title: 'T' }),
      ...placed({ $ref: '#/components/schemas/A' }),
    },
  ],
  'component-removed': [{ components: { headers: { A: { schema: text } } } }, {}],
  'unused-component-added': [{}, { components: { schemas: { A: text } } }],
  'unused-component-changed': [
    { components: { schemas: { A: text } } },
    { components: { schemas: { A: number } } },
  ],
  'text-reworded': [{}, { info: { description: 'B' } }],
  'example-changed': [param({ example: 'a' }), param({ example: 'b' })],
  'tag-changed': [{ tags: [{ name: 'A' }] }, { tags: [{ name: 'A', description: 'B' }] }],
  'extension-changed': [operation(), operation({ 'x-other': 1 })],
  'unknown-keyword-changed': [operation(), operation({ other: 1 })],
  // Only a fault of the comparison itself would lead to it.
  'unexplained-change': [{}, {}],
}

test.for(Object.entries(otherRows))('%s', ([id, [before, after]]) => {
  if (id === 'unexplained-change') {
    return
  }
  expectChange(findChanges(describe(before), describe(after)), id)
})

const statuses = (...list: readonly (number | string)[]) =>
  ofOperation({
    responses: { 200: null, ...Object.fromEntries(list.map((status) => [status, bodyOf(text)])) },
  })
const bodyOf = (schema: object) => ({
  description: 'Done.',
  content: { 'application/json': { schema } },
})
const contentOf = (schemas: Readonly<Record<string, object>>) => ({
  content: Object.fromEntries(
    Object.entries(schemas).map(([mediaType, schema]) => [mediaType, { schema }]),
  ),
})
const requestOf = (schemas: Readonly<Record<string, object>>) =>
  ofOperation({ requestBody: contentOf(schemas) })
const placedIn = (schemas: Readonly<Record<string, object>>) => respond(contentOf(schemas))
const inHeader = (name: string) => ({ name, in: 'header', schema: text })
const webhookWith = (parameter: object) =>
  webhook({ parameters: [{ name: 'q', in: 'query', schema: text, ...parameter }] })
const webhookResponse = (more: object) =>
  webhook({ responses: { 200: { description: 'Ok', ...more } } })
const callbacksOf = (more: object) => ({
  onDone: {
    '{$request.body#/url}': { post: { responses: { 200: { description: 'Ok' } }, ...more } },
  },
})
const callback = (more: object) => ofOperation({ callbacks: callbacksOf(more) })
const onlyDefault = (schema: object) =>
  ofOperation({ responses: { 200: null, default: bodyOf(schema) } })

/** A callback that has itself as a callback. */
const endless = (description: string) => {
  const callbacks = { on: { $ref: '#/components/callbacks/On' } }
  const post = { callbacks, responses: { 200: { description } } }
  return {
    ...ofOperation({ callbacks }),
    components: { callbacks: { On: { '{$request.body#/url}': { post } } } },
  }
}

/** Changes that are easily missed, with all that is found. */
const wholeRows: Readonly<Record<string, readonly [Patch, Patch, readonly RuleId[]]>> = {
  'a success beside default and others': [
    statuses(200, 'default'),
    statuses(200, 204, 'default'),
    ['response-success-status-added'],
  ],
  'one of several successes beside default': [
    statuses(200, 204, 'default'),
    statuses(200, 'default'),
    ['response-success-status-removed'],
  ],
  'the only success beside default': [
    statuses(200, 'default'),
    statuses('default'),
    ['response-success-status-removed'],
  ],
  'a redirect beside default and a success': [
    statuses('2XX', 'default'),
    statuses('2XX', 303, 'default'),
    ['response-success-status-added'],
  ],
  'a success instead of default': [
    statuses('default'),
    statuses(200),
    ['response-success-status-removed'],
  ],
  'default where it describes all': [
    onlyDefault(text),
    onlyDefault({ type: ['string', 'integer'] }),
    ['response-body-type-generalized'],
  ],
  'another media type in a request than a range has': [
    requestOf({ 'application/*': text }),
    requestOf({ 'application/*': text, 'application/json': { type: 'integer' } }),
    ['request-body-type-changed'],
  ],
  'another media type in a response than any has': [
    placedIn({ '*/*': { type: 'integer' } }),
    placedIn({ '*/*': { type: 'integer' }, 'text/plain': number }),
    ['response-body-type-generalized'],
  ],
  'a media type of a request that only a range has now': [
    requestOf({ 'application/*': text, 'application/json': number }),
    requestOf({ 'application/*': text }),
    ['request-body-type-changed'],
  ],
  'the narrowest of several ranges': [
    requestOf({ '*/*': number, 'text/*': text }),
    requestOf({ '*/*': number, 'text/*': text, 'text/csv': { ...text, ...short } }),
    ['request-body-max-length-set'],
  ],
  'all media types of a kind instead of one in a request': [
    requestOf({ 'application/json': text }),
    requestOf({ 'application/*': text }),
    ['request-body-media-type-added'],
  ],
  'all media types of a kind instead of one in a response': [
    placedIn({ 'application/json': text }),
    placedIn({ 'application/*': text }),
    ['response-media-type-removed', 'response-media-type-added'],
  ],
  'a media type that a range has, too': [
    requestOf({ 'application/*': text }),
    requestOf({ 'application/*': text, 'application/json': text }),
    [],
  ],
  'no more than a range has': [
    placedIn({ '*/*': text, 'application/json': text }),
    placedIn({ '*/*': text }),
    [],
  ],
  'another media type of a parameter': [
    param({ schema: undefined, content: { 'application/json': { schema: text } } }),
    param({ schema: undefined, content: { 'text/plain': { schema: text } } }),
    ['request-parameter-form-changed'],
  ],
  'a first media type of a parameter': [
    param({}),
    param({ schema: undefined, content: { 'application/json': { schema: text } } }),
    ['request-parameter-form-changed'],
  ],
  'a stricter schema in the media type of a parameter': [
    param({ schema: undefined, content: { 'application/json': { schema: text } } }),
    param({
      schema: undefined,
      content: { 'application/json': { schema: { ...text, ...short } } },
    }),
    ['request-parameter-max-length-set'],
  ],
  'another media type of a header': [
    header({ schema: undefined, content: { 'application/json': { schema: text } } }),
    header({}),
    ['response-header-form-changed'],
  ],
  'the schema of a parameter of a webhook': [
    webhookWith({ schema: text }),
    webhookWith({ schema: number }),
    ['response-header-type-changed'],
  ],
  'the order of the parameters of a webhook': [
    webhook({ parameters: [inHeader('X-A'), inHeader('X-B')] }),
    webhook({ parameters: [inHeader('x-b'), inHeader('x-a')] }),
    [],
  ],
  'a parameter of a webhook that is always sent': [
    webhookWith({}),
    webhookWith({ required: true }),
    ['webhook-changed'],
  ],
  'an extension of a parameter of a webhook': [
    webhookWith({}),
    webhookWith({ 'x-other': 1 }),
    ['extension-changed'],
  ],
  'the schema of a header that receivers of a webhook send': [
    webhookResponse({ headers: { X: { schema: { type: 'integer' } } } }),
    webhookResponse({ headers: { X: { schema: number } } }),
    ['request-parameter-type-generalized'],
  ],
  'a header that receivers of a webhook send': [
    webhookResponse({}),
    webhookResponse({ headers: { X: { schema: text } } }),
    ['webhook-changed'],
  ],
  'the description of a response to a webhook': [
    webhookResponse({}),
    webhookResponse({ description: 'Received.' }),
    ['text-reworded'],
  ],
  'the credentials of a webhook': [
    { ...securedBy([]), ...webhook({}) },
    { ...securedBy([]), ...webhook({ security: [{ key: [] }] }) },
    ['webhook-changed'],
  ],
  'credentials of a webhook in another order': [
    { ...securedBy([]), ...webhook({ security: [{ key: [] }, { other: [] }] }) },
    { ...securedBy([]), ...webhook({ security: [{ other: [] }, { key: [] }] }) },
    [],
  ],
  'the servers of a webhook': [
    webhook({ servers: [{ url: 'https://a.example' }] }),
    webhook({ servers: [{ url: 'https://b.example' }] }),
    ['webhook-changed'],
  ],
  'the greatest size of the body of a webhook': [
    webhook({ requestBody: { content: {} } }),
    webhook({ requestBody: { content: {}, 'x-max-bytes': 9 } }),
    ['webhook-changed'],
  ],
  'a callback of a callback': [
    callback({}),
    callback({ callbacks: callbacksOf({}) }),
    ['webhook-added'],
  ],
  'the schema of a callback of a callback': [
    callback({ callbacks: callbacksOf({ requestBody: bodyOf(text) }) }),
    callback({ callbacks: callbacksOf({ requestBody: bodyOf(number) }) }),
    ['response-body-type-changed'],
  ],
  'a callback that has itself as a callback': [
    endless('Done.'),
    endless('Over.'),
    ['text-reworded'],
  ],
  'a callback of a webhook': [
    webhook({ callbacks: callbacksOf({}) }),
    webhook({}),
    ['webhook-removed'],
  ],
  'an error that default described': [statuses(200, 'default'), statuses(200, 404, 'default'), []],
  'an error that default describes now': [
    statuses(200, 404, 'default'),
    statuses(200, 'default'),
    [],
  ],
  'a success that default described': [statuses('default'), statuses(200, 'default'), []],
}

test.for(Object.entries(wholeRows))('all that is found: %s', ([, [before, after, ids]]) => {
  expect(findChanges(describe(before), describe(after)).map(({ id }) => id)).toEqual(ids)
})

const expression = '{$request.body#/url}'
const securedOf = (requirement: object) => ({
  components: { securitySchemes: { A: { type: 'mutualTLS' }, O: { type: 'oauth2', flows: {} } } },
  security: [requirement],
})

/** Where a change is, and the sentence on it. */
const sentenceRows: Readonly<Record<string, readonly [Patch, Patch, string]>> = {
  'a new webhook': [{}, webhook({}), 'POST webhooks.done: The webhook `done` is new.'],
  'a removed webhook': [
    { webhooks: { ...webhook({}).webhooks, b: { get: {} } } },
    webhook({}),
    'GET webhooks.b: The webhook `b` was removed.',
  ],
  'a response of a webhook': [
    webhook({}),
    webhook({ responses: { 204: { description: 'Ok' } } }),
    'POST webhooks.done: `responses` of the webhook `done` was changed.',
  ],
  'the body of a webhook': [
    webhook({ requestBody: bodyOf(text) }),
    webhook({ requestBody: bodyOf(number) }),
    'POST webhooks.done: `type` of the body of the webhook `done` is now `number`; it was `string`.',
  ],
  'a removed callback': [
    callback({}),
    {},
    `POST /a callbacks.onDone: The callback \`onDone\` (\`POST ${expression}\`) was removed.`,
  ],
  'a callback of a callback': [
    callback({}),
    callback({ callbacks: callbacksOf({}) }),
    `POST /a callbacks.onDone callbacks.onDone: The callback \`onDone\` (\`POST ${expression}\`) of the callback \`onDone\` (\`POST ${expression}\`) is new.`,
  ],
  'a property named callbacks': [
    requestOf({ 'application/json': { properties: { callbacks: { properties: { a: text } } } } }),
    requestOf({ 'application/json': { properties: { callbacks: { properties: { a: number } } } } }),
    'POST /a: `type` of `a` of `callbacks` of the body is now `number`; it was `string`.',
  ],
  'a method of another name': [
    { paths: { '/a': { additionalOperations: { COPY: { responses: {} } } } } },
    { paths: { '/a': { additionalOperations: { COPY: { responses: {}, 'x-a': 1 } } } } },
    'COPY /a: `x-a` of COPY /a is now `1`.',
  ],
  'the method QUERY': [
    { paths: { '/a': { query: { responses: {} } } } },
    { paths: { '/a': { query: { responses: {}, 'x-a': 1 } } } },
    'QUERY /a: `x-a` of QUERY /a is now `1`.',
  ],
  'two credentials at once': [
    securedOf({ A: [] }),
    { ...securedOf({ A: [] }), security: [{ A: [] }, { A: [], O: ['r'] }] },
    'security: `A` and `O` with `r` are now accepted.',
  ],
  'one more scope, in another order': [
    securedOf({ A: [], O: ['r'] }),
    securedOf({ O: ['w', 'r'], A: [] }),
    'security: `O` with `w` is now required.',
  ],
}

test.for(Object.entries(sentenceRows))(
  'place and sentence: %s',
  ([, [before, after, sentence]]) => {
    const changes = findChanges(describe(before), describe(after))
    expect(changes.map(({ place, what }) => `${place}: ${what}`)).toContain(sentence)
  },
)

type Requirements = readonly Readonly<Record<string, readonly string[]>>[]

/** What operations require before and after, and the largest version bump of the changes. */
const requirementRows: readonly (readonly [Requirements, Requirements, 'major' | 'minor'])[] = [
  // None
  [[], [{ key: [] }], 'major'],
  [[{ key: [] }], [], 'minor'],
  [[], [{ key: [] }, {}], 'minor'],
  // Optional
  [[{ key: [] }, {}], [{ key: [] }], 'major'],
  [[{ key: [] }], [{ key: [] }, {}], 'minor'],
  // Alternatives
  [[{ key: [] }, { other: [] }], [{ key: [] }], 'major'],
  [[{ key: [] }], [{ key: [] }, { other: [] }], 'minor'],
  [[{ key: [] }], [{ other: [] }], 'major'],
  // Combinations
  [[{ key: [] }], [{ key: [], other: [] }], 'major'],
  [[{ key: [], other: [] }], [{ key: [] }], 'minor'],
  [[{ key: [], other: [] }], [{ key: [] }, { other: [] }], 'minor'],
  [[{ key: [] }, { other: [] }], [{ key: [], other: [] }], 'major'],
  // Scopes
  [[{ key: [] }], [{ key: ['read'] }], 'major'],
  [[{ key: ['read'] }], [{ key: [] }], 'minor'],
  [[{ key: ['read'] }], [{ key: ['read', 'write'] }], 'major'],
  [[{ key: ['read', 'write'] }], [{ key: ['write'] }], 'minor'],
  [[{ key: ['read'] }], [{ key: ['write'] }], 'major'],
  [[{ key: ['read'] }], [{ key: ['read'] }, { key: ['write'] }], 'minor'],
  [[{ key: ['read', 'write'] }], [{ key: ['read'] }, { key: ['write'] }], 'minor'],
  [[{ key: ['read'] }, { key: ['write'] }], [{ key: ['read', 'write'] }], 'major'],
  [[{ key: ['read'], other: [] }], [{ key: ['read'] }], 'minor'],
]

test.for(requirementRows)('%j that becomes %j is %s', ([before, after, bump]) => {
  // Tokens, because the client has an option of its own for API keys without another scheme.
  const tokens = { bearerFormat: 'JWT' }
  const ofAll = findChanges(describe(securedBy(before, tokens)), describe(securedBy(after, tokens)))
  const ofOne = findChanges(
    describe({ ...securedBy([], tokens), ...operation({ security: before }) }),
    describe({ ...securedBy([], tokens), ...operation({ security: after }) }),
  )
  for (const changes of [ofAll, ofOne]) {
    const bumps = changes.map((change) => change.bump)
    expect(bumps).toContain(bump)
    expect(bumps.includes('major')).toBe(bump === 'major')
  }
})

/** Expects the change of a rule, with its bump. */
function expectChange(changes: ReturnType<typeof findChanges>, id: string): void {
  const found = changes.find((change) => change.id === id)
  expect(changes.map((change) => change.id)).toContain(id)
  const rule = Object.entries(rules).find(([name]) => name === id)?.[1]
  expect(found).toMatchObject({
    bump: rule?.bump,
    breaking: rule?.bump === 'major',
    line: expect.any(Number),
  })
  expect(found?.what).toMatch(/^[^a-z].*\.$/)
  expect(found?.consequence).toMatch(/^[A-Z].*\.$/)
}

test('no two rules have the same ID', () => {
  const areas = Object.values(ruleAreas).flatMap((area) => Object.keys(area))
  const ids = [...areas, ...Object.keys(rulesOfSchemas)]
  expect(ids.length).toBe(new Set(ids).size)
  expect(new Set(ids)).toEqual(new Set(Object.keys(rules)))
  expect(Object.keys(schemaRules).length).toBeGreaterThan(100)
})

test('docs/contract-changes.md lists every rule', () => {
  const page = readFileSync(`${project}/docs/contract-changes.md`, 'utf8')
  const [, tables = ''] = page.split(
    '<!-- The rules, as printed by: node scripts/diff/rules/page.ts -->\n',
  )
  expect(tables.trim()).toBe(printRulesPage().trim())
})
