import { expect, test } from 'vitest'
import { describe, findChanges } from './support/snippets.ts'

const bearer = { type: 'http', scheme: 'bearer' }
const token = { ...bearer, bearerFormat: 'JWT' }
const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
const basic = { type: 'http', scheme: 'basic' }
const provider = (openIdConnectUrl: string) => ({ type: 'openIdConnect', openIdConnectUrl })
const oauth = (flow: object, more: object = {}) => {
  const usual = { tokenUrl: 'https://a.example/token', scopes: { read: 'Read.' } }
  const authorizationCode = { authorizationUrl: 'https://a.example/ask', ...usual, ...flow }
  return { type: 'oauth2', flows: { authorizationCode }, ...more }
}

const id = (name: string) => `api-security-component-${name}`
const otherForm = [`major ${id('type-changed')}`]
const otherKind = [`major ${id('credentials-changed')}`]
const otherUrl = [`major ${id('oauth-url-changed')}`]
const newUrl = [`minor ${id('oauth-url-added')}`]
const reworded = ['patch text-reworded']

/** A security scheme before and after, and all changes that are found. */
const rows: Readonly<Record<string, readonly [object, object, readonly string[]]>> = {
  // bearerFormat
  'tokens instead of API keys': [bearer, token, otherKind],
  'API keys instead of tokens': [token, bearer, otherKind],
  'API keys of a format instead of tokens': [token, { ...bearer, bearerFormat: 'key' }, otherKind],
  'another case of JWT': [token, { ...bearer, bearerFormat: 'jwt' }, reworded],
  'another format of API keys': [bearer, { ...bearer, bearerFormat: 'opaque' }, reworded],
  'a format of the tokens of OAuth': [oauth({}), oauth({}, { bearerFormat: 'JWT' }), reworded],
  'passwords instead of tokens': [token, basic, [...otherForm, ...reworded]],

  // type, scheme, in, name
  'another type': [key, bearer, otherForm],
  'OpenID Connect instead of OAuth': [oauth({}), provider('https://a.example'), otherForm],
  'another scheme of HTTP': [bearer, basic, otherForm],
  'another case of a scheme of HTTP': [bearer, { ...bearer, scheme: 'Bearer' }, []],
  'an API key in the query': [key, { ...key, in: 'query' }, otherForm],
  'an API key with another name': [key, { ...key, name: 'X-Token' }, otherForm],
  'another case of a header': [key, { ...key, name: 'x-key' }, []],
  'another case of a query parameter': [
    { ...key, in: 'query' },
    { ...key, in: 'query', name: 'x-key' },
    otherForm,
  ],
  'a field of another type': [{ ...bearer, name: 'Authorization' }, bearer, reworded],

  // URLs
  'another identity provider': [
    provider('https://a.example/.well-known/openid-configuration'),
    provider('https://b.example/.well-known/openid-configuration'),
    [`major ${id('openid-connect-url-changed')}`],
  ],
  'another tokenUrl': [oauth({}), oauth({ tokenUrl: 'https://b.example' }), otherUrl],
  'another authorizationUrl': [
    oauth({}),
    oauth({ authorizationUrl: 'https://b.example' }),
    otherUrl,
  ],
  'another refreshUrl': [
    oauth({ refreshUrl: 'https://a.example' }),
    oauth({ refreshUrl: 'https://b.example' }),
    otherUrl,
  ],
  'a removed refreshUrl': [oauth({ refreshUrl: 'https://a.example' }), oauth({}), otherUrl],
  'a first refreshUrl': [oauth({}), oauth({ refreshUrl: 'https://a.example' }), newUrl],
  'a first oauth2MetadataUrl': [
    oauth({}),
    oauth({}, { oauth2MetadataUrl: 'https://a.example' }),
    newUrl,
  ],
  'another oauth2MetadataUrl': [
    oauth({}, { oauth2MetadataUrl: 'https://a.example' }),
    oauth({}, { oauth2MetadataUrl: 'https://b.example' }),
    otherUrl,
  ],

  // Flows and scopes
  'a flow instead of another one': [
    oauth({}),
    { type: 'oauth2', flows: { clientCredentials: oauth({}).flows.authorizationCode } },
    [`major ${id('oauth-flow-removed')}`, `minor ${id('oauth-flow-added')}`],
  ],
  'a scope instead of another one': [
    oauth({}),
    oauth({ scopes: { write: 'Write.' } }),
    [`minor ${id('oauth-scope-removed')}`, `minor ${id('oauth-scope-added')}`],
  ],
  'another description of a scope': [oauth({}), oauth({ scopes: { read: 'Reads.' } }), reworded],
  'an extension of a flow': [oauth({}), oauth({ 'x-a': 1 }), ['patch extension-changed']],
  'an unknown field of a flow': [oauth({}), oauth({ a: 1 }), ['major unknown-keyword-changed']],

  // What people read
  'another description': [bearer, { ...bearer, description: 'Keys.' }, reworded],
  'a deprecated scheme': [bearer, { ...bearer, deprecated: true }, [`minor ${id('deprecated')}`]],
}

/** Returns a description with a security scheme, which its operation requires. */
function securedBy(scheme: object, name = 'key', more: object = {}) {
  const components = { securitySchemes: { [name]: scheme } }
  return describe({ components, security: [{ [name]: [] }], ...more })
}

test.for(Object.entries(rows))('security scheme: %s', ([, [before, after, expected]]) => {
  const changes = findChanges(securedBy(before), securedBy(after))
  expect(changes.map((change) => `${change.bump} ${change.id}`)).toEqual(expected)
  for (const { place, operations } of changes) {
    expect(place).toBe('components.securitySchemes.key')
    expect(operations.map(({ name }) => name)).toEqual(['POST /a'])
  }
})

test('a security scheme with other credentials is no other name of the first one', () => {
  const changes = findChanges(securedBy(token, 'tokens'), securedBy(bearer, 'keys'))
  const found = changes.map(({ id, bump }) => `${bump} ${id}`)
  expect(found).toContain('major api-security-removed')
  expect(found).not.toContain('patch component-renamed')
})

/** Two schemes, each of which is enough. */
const either = (first: string, second: string) => {
  const securitySchemes = { [first]: bearer, [second]: key }
  return describe({
    components: { securitySchemes },
    security: [{ [first]: [] }, { [second]: [] }],
  })
}

test.for([
  ['beside another scheme', securedBy(bearer), either('key', 'other'), 'apiKey', 'credentials.key'],
  ['alone again', either('key', 'other'), securedBy(bearer), 'credentials.key', 'apiKey'],
  [
    'by a new name',
    either('key', 'other'),
    either('keys', 'other'),
    'credentials.key',
    'credentials.keys',
  ],
] as const)(
  'the client takes credentials by another option: %s',
  ([, base, current, before, after]) => {
    const renamed = findChanges(base, current).filter(
      ({ id }) => id === 'client-credentials-renamed',
    )
    expect(renamed.map(({ bump, what }) => `${bump} ${what}`)).toEqual([
      `major The option \`${before}\` of the client is now \`${after}\`.`,
    ])
  },
)

test('the client takes credentials as before', () => {
  const [base, current] = [either('key', 'other'), securedBy(key, 'other')]
  const unchanged = [
    findChanges(securedBy(bearer), securedBy(bearer, 'keys')),
    findChanges(base, current),
    findChanges(securedBy(bearer), securedBy(token)),
  ]
  expect(unchanged.flat().map(({ id }) => id)).not.toContain('client-credentials-renamed')
})

const none = { security: [] }
const get = { operationId: 'getB', responses: { 200: { description: 'B' } } }

test('a security scheme is compared for the operations that require it', () => {
  const paths = { '/b': { get: { ...get, ...none } } }
  const [before, after] = [key, bearer].map((scheme) => securedBy(scheme, 'key', { paths }))
  const [change] = findChanges(before ?? {}, after ?? {})
  expect(change?.operations).toEqual([{ name: 'POST /a', operationId: 'addA' }])
})

test('a security scheme that only a webhook requires is compared', () => {
  const post = { responses: { 200: { description: 'Ok' } }, security: [{ key: [] }] }
  const more = { ...none, webhooks: { done: { post } } }
  const [before, after] = [token, bearer].map((scheme) => securedBy(scheme, 'key', more))
  const changes = findChanges(before ?? {}, after ?? {})
  expect(changes.map(({ id, bump }) => `${bump} ${id}`)).toEqual(otherKind)
})

const unused = securedBy(key, 'key', none)

test.for([
  ['changed', unused, securedBy(bearer, 'key', none), 'patch unused-component-changed'],
  ['added', describe({}), unused, 'patch unused-component-added'],
  ['removed', unused, describe({}), 'patch component-removed'],
  ['renamed', unused, securedBy(key, 'other', none), 'patch component-renamed'],
  ['required, first', unused, securedBy(key), 'major api-security-added'],
] as const)('a security scheme that is not required: %s', ([, before, after, expected]) => {
  const changes = findChanges(before, after)
  expect(changes.map(({ id, bump }) => `${bump} ${id}`)).toEqual([expected])
})
