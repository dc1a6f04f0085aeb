type Fragment = Readonly<Record<string, unknown>>

/** Valid descriptions by what they have, each as its version and what it adds to an empty one. */
export const descriptions: Readonly<
  Record<string, readonly [version: string, fragment: Fragment]>
> = {
  'nothing but paths': ['3.0.0', {}],
  'components without paths': ['3.1.0', { paths: undefined, components: { schemas: { A: {} } } }],
  'OpenAPI 3.2': ['3.2.0', get({ type: 'string' })],
  'a method and a media type of OpenAPI 3.2': [
    '3.2.0',
    {
      paths: {
        '/a': {
          query: { operationId: 'search', responses: {} },
          additionalOperations: { COPY: { operationId: 'copy', responses: ok({}) } },
          get: { responses: responses({ content: { 'application/jsonl': { itemSchema: {} } } }) },
        },
      },
    },
  ],
  'nullable in 3.0': ['3.0.3', get({ type: 'string', nullable: true })],
  'nullable in 3.1': ['3.1.0', get({ type: 'object', properties: { a: { nullable: true } } })],
  'types in a list': ['3.1.0', get({ type: ['string', 'integer', 'null'], maxLength: 3 })],
  'a discriminator that maps names': ['3.0.3', pets({ cat: 'Cat', dog: 'Dog' })],
  'a discriminator that maps references': [
    '3.1.0',
    pets({ cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' }),
  ],
  'a discriminator without a mapping': ['3.1.0', pets(undefined)],
  'a base schema with a discriminator': [
    '3.0.3',
    schemas({
      Pet: { type: 'object', discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } } },
      Cat: { allOf: [ref('Pet'), { type: 'object', properties: { lives: {} } }] },
    }),
  ],
  'compositions in compositions': [
    '3.1.0',
    get({ allOf: [{ anyOf: [{ oneOf: [{ type: 'string' }, { type: 'null' }] }] }, { not: {} }] }),
  ],
  'schemas that refer to themselves': [
    '3.1.0',
    schemas({
      Tree: { type: 'object', properties: { children: { type: 'array', items: ref('Tree') } } },
      A: { type: 'object', properties: { b: ref('B') } },
      B: { allOf: [{ type: 'object', properties: { a: ref('A') } }] },
    }),
  ],
  'additional properties of all kinds': [
    '3.0.0',
    schemas({
      A: { type: 'object', additionalProperties: true },
      B: { type: 'object', additionalProperties: false },
      C: { type: 'object', additionalProperties: { type: 'number' } },
      D: { type: 'object', properties: { a: {} }, additionalProperties: ref('A') },
    }),
  ],
  'enums with odd characters': [
    '3.1.0',
    get({ enum: ["it's", '"', '\\', '', ' ', 'é', '\n', '*/', '`$', null, 1, -0.5, true] }),
  ],
  'a long enum': [
    '3.1.0',
    get({ type: 'integer', enum: Array.from({ length: 2000 }, (_, a) => a) }),
  ],
  'const, if and then': [
    '3.1.0',
    get(JSON.parse('{"if":{"const":1},"then":{"const":1},"else":{"const":"a"}}')),
  ],
  'tuples and patterns of names': [
    '3.1.0',
    get({
      type: 'object',
      properties: { a: { type: 'array', prefixItems: [{ type: 'string' }], items: false } },
      patternProperties: { '^x-': { type: 'integer' } },
      unevaluatedProperties: false,
    }),
  ],
  'schemas that are true or false': [
    '3.1.0',
    schemas({ Any: true, None: false, A: { items: true } }),
  ],
  '$defs with references': [
    '3.1.0',
    schemas({
      A: { properties: { a: ref('A/$defs/b') }, $defs: { b: { type: 'string' } } },
    }),
  ],
  '$defs without references': ['3.1.0', schemas({ A: { type: 'object', $defs: { b: {} } } })],
  'keywords beside a reference': [
    '3.1.0',
    get({ $ref: '#/components/schemas/A', description: 'It is new.', maxLength: 3 }, { A: {} }),
  ],
  'names in other alphabets': [
    '3.1.0',
    {
      ...schemas({
        A: { type: 'object', properties: { größe: {}, 名前: {}, '🐈': {}, 'a-b.c': {} } },
      }),
      paths: { '/größe/{名前}': { parameters: [path('名前')], get: { responses: ok({}) } } },
    },
  ],
  'names that JavaScript reserves': [
    '3.1.0',
    {
      paths: {
        '/a/{class}': {
          parameters: [path('class')],
          get: { operationId: 'delete', parameters: [query('default')], responses: ok({}) },
          put: { operationId: 'constructor', parameters: [query('__proto__')], responses: ok({}) },
        },
      },
      ...schemas({ Function: { properties: { __proto: {}, new: {}, await: {} } } }),
    },
  ],
  'operations without an operationId': [
    '3.0.0',
    { paths: { '/a': { get: { responses: ok({}) }, post: { responses: ok({}) } } } },
  ],
  'parameters with one name in several locations': [
    '3.1.0',
    {
      paths: {
        '/a/{id}': {
          parameters: [path('id'), query('id')],
          get: {
            parameters: [
              { ...query('id'), schema: { type: 'integer' } },
              { name: 'id', in: 'header', schema: { type: 'boolean' } },
              { name: 'id', in: 'cookie', schema: { type: 'string' } },
            ],
            responses: ok({}),
          },
        },
      },
    },
  ],
  'objects and lists as parameters': [
    '3.0.3',
    withParameters(
      {
        ...query('filter'),
        style: 'deepObject',
        schema: { type: 'object', properties: { a: {} } },
      },
      {
        ...query('ids'),
        style: 'pipeDelimited',
        explode: false,
        schema: { type: 'array', items: {} },
      },
      {
        name: 'near',
        in: 'query',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
    ),
  ],
  'parameters in components': [
    '3.0.3',
    {
      ...withParameters({ $ref: '#/components/parameters/Limit' }),
      components: { parameters: { Limit: { ...query('limit'), example: 3 } } },
    },
  ],
  'bodies of several media types': [
    '3.1.0',
    withBody({
      'multipart/form-data': {
        schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } },
        encoding: { file: { contentType: 'image/png' } },
      },
      'application/x-www-form-urlencoded': { schema: { type: 'object' } },
      'application/octet-stream': {},
      'text/*': { schema: { type: 'string' } },
    }),
  ],
  'responses for ranges of statuses, and a default': [
    '3.0.0',
    {
      paths: {
        '/a': {
          get: { responses: { '2XX': { description: 'A.' }, default: { description: 'B.' } } },
        },
      },
    },
  ],
  'text and no content': [
    '3.1.0',
    {
      paths: {
        '/a': {
          get: {
            responses: responses({ content: { 'text/plain': { schema: { type: 'string' } } } }),
          },
          delete: { responses: { 204: { description: 'Gone.' } } },
        },
      },
    },
  ],
  'responses, headers and links in components': [
    '3.1.0',
    {
      paths: { '/a': { get: { responses: { 200: { $ref: '#/components/responses/A' } } } } },
      components: {
        responses: {
          A: {
            description: 'A.',
            headers: { 'X-A': { $ref: '#/components/headers/A' }, 'X-B': { schema: {} } },
            links: { self: { $ref: '#/components/links/A' } },
          },
        },
        headers: { A: { required: true, schema: { type: 'integer' }, example: 1 } },
        links: { A: { operationRef: '#/paths/~1a/get' } },
      },
    },
  ],
  'webhooks alone': [
    '3.1.0',
    {
      paths: undefined,
      webhooks: { moved: { post: { requestBody: body({}), responses: ok({}) } } },
    },
  ],
  callbacks: [
    '3.0.3',
    {
      paths: {
        '/a': {
          post: {
            operationId: 'subscribe',
            callbacks: { moved: { '{$request.query.url}': { post: { responses: ok({}) } } } },
            responses: ok({}),
          },
        },
      },
    },
  ],
  'path items in components': [
    '3.1.0',
    {
      paths: {
        '/a': { $ref: '#/components/pathItems/A' },
        '/b': { $ref: '#/components/pathItems/A' },
      },
      components: { pathItems: { A: { get: { responses: ok({ type: 'string' }) } } } },
    },
  ],
  'servers with variables, at several levels': [
    '3.0.3',
    {
      servers: [
        {
          url: 'https://{host}:{port}/v1',
          variables: { host: { default: 'a' }, port: { default: '1' } },
        },
        { url: '/v1/' },
      ],
      paths: { '/a': { servers: [{ url: '/v2' }], get: { responses: ok({}) } } },
    },
  ],
  'alternatives of security schemes': [
    '3.1.0',
    {
      security: [{ key: [], token: ['read'] }, {}],
      paths: { '/a': { get: { security: [], responses: ok({}) } } },
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'cookie', name: 'key' },
          token: {
            type: 'oauth2',
            flows: { clientCredentials: { tokenUrl: 'https://a.test', scopes: { read: 'Read.' } } },
          },
          certificate: { type: 'mutualTLS' },
        },
      },
    },
  ],
  'examples of all kinds': [
    '3.1.0',
    {
      paths: {
        '/a': {
          get: {
            responses: responses({
              content: {
                'application/json': {
                  schema: { examples: [1, 'a'] },
                  examples: {
                    inPlace: { value: { __proto__: null, 200: ['a', null], 'a-b': -1e-7 } },
                    shared: { $ref: '#/components/examples/A' },
                    elsewhere: { externalValue: 'https://a.test/a.json' },
                  },
                },
              },
            }),
          },
        },
      },
      components: { examples: { A: { summary: 'A.', value: '*/ </script>' } } },
    },
  ],
  'descriptions that end a comment': [
    '3.1.0',
    {
      paths: { '/a': { get: { summary: 'A */ B', description: '*/', responses: ok({}) } } },
      ...schemas({ A: { description: '/* */ @deprecated', deprecated: true } }),
    },
  ],
  'deprecations and read-only fields': [
    '3.0.3',
    {
      paths: { '/a': { get: { deprecated: true, 'x-sunset': '2030-12-05', responses: ok({}) } } },
      ...schemas({ A: { properties: { id: { readOnly: true }, key: { writeOnly: true } } } }),
    },
  ],
  'names with a slash, a tilde and an escaped space': [
    '3.1.0',
    { paths: { '/a~b/c%20d/{a}': { parameters: [path('a')], get: { responses: ok({}) } } } },
  ],
  'references to other files': [
    '3.1.0',
    {
      paths: { '/a': { $ref: 'parts.yaml#/pathItem' } },
      components: { schemas: { Pet: { $ref: 'parts.yaml#/Pet' } } },
    },
  ],
}

/** The other files of the last description. */
export const otherFiles: Fragment = {
  'parts.yaml': {
    pathItem: { get: { operationId: 'getPet', responses: ok({ $ref: '#/Pet' }) } },
    Pet: { type: 'object', properties: { owner: { $ref: 'Owner.yaml' } } },
  },
  'Owner.yaml': { type: 'object', properties: { pet: { $ref: 'parts.yaml#/Pet' } } },
}

function ref(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}

function responses(response: Fragment) {
  return { 200: { description: 'Done.', ...response } }
}

function ok(schema: Fragment) {
  return responses({ content: { 'application/json': { schema } } })
}

function body(schema: Fragment) {
  return { content: { 'application/json': { schema } } }
}

function get(schema: Fragment, named: Fragment = {}): Fragment {
  return {
    paths: { '/a': { get: { operationId: 'getA', responses: ok(schema) } } },
    components: { schemas: named },
  }
}

function schemas(named: Fragment): Fragment {
  return { components: { schemas: named } }
}

function pets(mapping: unknown): Fragment {
  const kind = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } }
  const discriminator = { propertyName: 'kind', mapping }
  const Pet = { oneOf: [ref('Cat'), ref('Dog')], discriminator }
  return get(ref('Pet'), { Pet, Cat: kind, Dog: kind })
}

function withParameters(...parameters: readonly Fragment[]): Fragment {
  return { paths: { '/a': { get: { operationId: 'getA', parameters, responses: ok({}) } } } }
}

function withBody(content: Fragment): Fragment {
  return { paths: { '/a': { post: { requestBody: { content }, responses: ok({}) } } } }
}

function path(name: string) {
  return { name, in: 'path', required: true, schema: { type: 'string' } }
}

function query(name: string) {
  return { name, in: 'query', schema: { type: 'string' } }
}
