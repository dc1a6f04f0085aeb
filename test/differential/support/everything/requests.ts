import { ref } from './schema-words.ts'
import { schemas } from './schemas.ts'
import { singleParameters } from './single-parameters.ts'
import { styledParameters } from './styled-parameters.ts'

const responses = { 204: { description: 'Fine.' } }
const parameters = { ...singleParameters, ...styledParameters }
const json = (schema: object) => ({ 'application/json': { schema } })

/** An operation for each schema, which takes it for its body. */
const bodies = Object.keys(schemas).map((name) => [
  `/bodies/${name}`,
  {
    post: {
      operationId: `post${name}`,
      requestBody: { required: true, content: json(ref(name)) },
      responses,
    },
  },
])

/** An operation for each set of parameters. */
const sets = Object.entries(parameters).map(([name, { path = `/sets/${name}`, rows, ...more }]) => [
  path,
  { get: { operationId: `get${name}`, parameters: rows, responses, ...more } },
])

/** Operations in doubt, under names that objects inherit. */
const inherited = ['constructor', 'toString', 'valueOf'].map((operationId) => [
  `/inherited/${operationId}`,
  {
    put: {
      operationId,
      requestBody: {
        required: true,
        content: json({ oneOf: [{ type: 'string' }, { type: 'number' }] }),
      },
      responses,
    },
  },
])

const mixed = {
  '/mixed/optional': {
    put: {
      operationId: 'optionalBody',
      requestBody: { content: json(ref('Plain')) },
      responses,
    },
  },
  '/mixed/types': {
    put: {
      operationId: 'severalTypes',
      requestBody: {
        required: true,
        content: {
          ...json(ref('Plain')),
          'application/problem+json': { schema: ref('Strings') },
          'application/merge-patch+json': {},
        },
      },
      responses,
    },
  },
  '/mixed/form': {
    put: {
      operationId: 'formBody',
      requestBody: { content: { 'multipart/form-data': { schema: ref('Lists') } } },
      responses,
    },
  },
  '/mixed/any': {
    put: { operationId: 'anyBody', requestBody: { content: json({}) }, responses },
  },
  '/mixed/open': {
    put: {
      operationId: 'openOperation',
      security: [],
      requestBody: { $ref: '#/components/requestBodies/Shared' },
      responses,
    },
  },
  '/mixed/either': {
    get: { operationId: 'eitherWay', security: [{}, { badge: [] }], responses },
  },
}

/** A description that uses all that is compiled, and much of what is left in doubt. */
export const everyRequest = {
  openapi: '3.1.0',
  info: { title: 'Everything', version: '1.0.0' },
  security: [{ badge: [] }],
  paths: { ...Object.fromEntries([...bodies, ...sets, ...inherited]), ...mixed },
  components: {
    securitySchemes: { badge: { type: 'http', scheme: 'bearer' } },
    requestBodies: { Shared: { required: true, content: json(ref('Defaults')) } },
    parameters: {
      Limit: { name: 'limit', in: 'query', schema: ref('Count') },
      Flag: { name: 'flag', in: 'query', schema: { type: 'boolean', default: false } },
    },
    schemas,
  },
}
