import { type Edit, set, together } from '../../pipeline/support/spec-edit.ts'

const refer = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })
const headers = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, refer('headers', name)]))
const responses = (names: Readonly<Record<number, string>>) =>
  Object.fromEntries(
    Object.entries(names).map(([status, name]) => [status, refer('responses', name)]),
  )

const always = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'],
]
const refusals = {
  401: 'Unauthorized',
  404: 'NotFound',
  406: 'NotAcceptable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}
const kitten = { id: 1, name: 'Mia', categoryId: 3 }
const example = (value: unknown) => ({ one: { summary: 'One', value } })

const listKittens = {
  operationId: 'listKittens',
  summary: 'List kittens',
  description: 'One page of the kittens of an animal.',
  tags: ['Animals'],
  'x-paginated-by': 'cursor',
  parameters: ['PetId', 'Limit', 'Cursor'].map((name) => refer('parameters', name)),
  responses: {
    200: {
      description: 'A page of kittens.',
      headers: headers(...always, 'Link'),
      content: {
        'application/json': { schema: refer('schemas', 'Pets'), examples: example([kitten]) },
      },
    },
    ...responses({ 400: 'InvalidParameters', ...refusals }),
  },
}

const owner = {
  name: 'X-Owner',
  in: 'header',
  required: true,
  description: 'Whose kitten it is.',
  schema: { type: 'string', minLength: 1, maxLength: 50 },
  example: 'me',
}

const addKitten = {
  operationId: 'addKitten',
  summary: 'Add a kitten',
  description: 'Adds a kitten to an animal.',
  tags: ['Animals'],
  parameters: [...['PetId', 'IdempotencyKey'].map((name) => refer('parameters', name)), owner],
  requestBody: {
    description: 'The kitten to add.',
    required: true,
    'x-max-bytes': 1000,
    content: {
      'application/json': {
        schema: refer('schemas', 'NewPet'),
        examples: example({ name: 'Mia', categoryId: 3 }),
      },
    },
  },
  responses: {
    201: {
      description: 'The kitten.',
      headers: headers(...always, 'Idempotent-Replayed'),
      content: {
        'application/json': { schema: refer('schemas', 'Pet'), examples: example(kitten) },
      },
    },
    ...responses({
      400: 'InvalidRequest',
      409: 'IdempotencyInProgress',
      413: 'PayloadTooLarge',
      415: 'UnsupportedMediaType',
      422: 'IdempotencyKeyReused',
      ...refusals,
    }),
  },
}

const path = 'paths /pets/{petId}/kittens'

/** Two operations that no code knows of: a list in pages, and one with a body. */
export const kittensAdded: Edit = together(
  set(`${path} get`, listKittens),
  set(`${path} post`, addKitten),
)
