import { ref } from './schema-words.ts'
import { schemas } from './schemas.ts'

const headers = {
  'X-Count': { required: true, schema: { type: 'integer', minimum: 0, maximum: 9 } },
  'X-Text': { schema: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 } },
  'X-Flag': { schema: { const: true } },
  'X-Day': { schema: { type: 'string', format: 'date' } },
  'X-Text-Behind': { $ref: '#/components/headers/Text' },
}
const response = (content?: object) => ({
  description: 'An answer.',
  headers,
  ...(content === undefined ? {} : { content }),
})
const json = (schema: object) => ({ 'application/json': { schema } })

/** An operation for each schema, which answers with it, also where nobody but us checks that. */
const bodies = Object.keys(schemas).map((name) => [
  `/${name}`,
  {
    get: {
      operationId: `get${name}`,
      responses: { 200: response(json(ref(name))), 500: response(json(ref(name))) },
    },
  },
])

const problemFirst = {
  'application/problem+json': { schema: ref('Text') },
  ...json(ref('Strings')),
}
const problemLast = { ...json(ref('Text')), 'application/problem+json': { schema: ref('Strings') } }
const nullable = { type: ['object', 'null'] }

/** A description that answers with all that is compiled, and much of what is left in doubt. */
export const everyAnswer = {
  openapi: '3.1.0',
  info: { title: 'Everything', version: '1.0.0' },
  paths: {
    ...Object.fromEntries(bodies),
    '/odd': {
      get: {
        operationId: 'answerOddly',
        responses: {
          200: response(problemFirst),
          201: response(problemLast),
          202: response({ 'application/problem+json': { schema: ref('Text') } }),
          203: response(json(nullable)),
          204: response(),
          205: response({}),
          206: response({ 'application/json': {} }),
          207: { description: 'No fields.', content: json({}) },
          208: { $ref: '#/components/responses/Shared' },
          400: response(json({ type: 'null' })),
          '4XX': response(json(ref('Text'))),
          503: response(problemFirst),
          default: response(json(ref('Text'))),
        },
      },
    },
  },
  'x-outside-operations': {
    204: response(),
    404: response(json(ref('ClosedMore'))),
    405: response(json(nullable)),
    406: response(problemFirst),
    500: response(json(ref('Formats'))),
  },
  components: {
    headers: { Text: { schema: ref('Text') } },
    responses: { Shared: response(json(ref('WriteOnly'))) },
    schemas,
  },
}
