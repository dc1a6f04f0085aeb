import { type Document, visit, type YAMLMap } from 'yaml'
import type { Edit } from '../../pipeline/support/spec-edit.ts'

/** Changes the animals in all examples: whoever edits a schema with care mends these too. */
export function inEveryAnimal(change: (animal: YAMLMap) => void): Edit {
  return (description: Document) => {
    visit(description, {
      Map(_, map) {
        if (typeof map.get('categoryId') === 'number') change(map)
      },
    })
  }
}

/** A header that every answer has to carry. */
export const requiredHeader = {
  description: 'A header that no code knows of.',
  required: true,
  schema: { type: 'string' },
  example: 'a',
}

/** A header that some answers may carry. */
export const optionalHeader = { ...requiredHeader, required: false }

/** A parameter that may be left out. */
export const pageNumber = {
  name: 'page',
  in: 'query',
  description: 'The number of a page.',
  schema: { type: 'integer', minimum: 1 },
  example: 1,
}

/** A way to authenticate that no code knows of. */
export const partnerScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Partner',
  description: 'The name of a partner.',
}

const headers = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'Cache-Control',
  'X-Content-Type-Options',
]
const refusals = {
  400: 'InvalidParameters',
  401: 'Unauthorized',
  404: 'NotFound',
  406: 'NotAcceptable',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'Unavailable',
}

/** An operation that is described in full and written nowhere. */
export const deletePet = {
  operationId: 'deletePet',
  summary: 'Remove an animal',
  description: 'Removes an animal.',
  tags: ['Animals'],
  parameters: [refer('parameters', 'PetId')],
  responses: {
    204: {
      description: 'The animal is gone.',
      headers: Object.fromEntries(headers.map((name) => [name, refer('headers', name)])),
    },
    ...Object.fromEntries(
      Object.entries(refusals).map(([status, name]) => [status, refer('responses', name)]),
    ),
  },
}

function refer(kind: string, name: string) {
  return { $ref: `#/components/${kind}/${name}` }
}
