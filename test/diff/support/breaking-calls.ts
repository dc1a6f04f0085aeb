import { together } from '../../edits/support/changes.ts'
import { remove, rename, set } from '../../pipeline/support/spec-edit.ts'
import { append, parameter } from './lists.ts'
import type { Row } from './row.ts'

const list = 'paths /pets get'
const create = 'paths /pets post'
const fetch = 'paths /pets/{petId} get'

/** Edits of operations, and of what they share, that break consumers. */
export const breakingCalls: readonly Row[] = [
  [
    'an answer is removed',
    remove(`${create} responses 422`),
    'POST /pets',
    'The answer 422 was removed',
  ],
  [
    'another success is added',
    set(`${create} responses 202`, { $ref: '#/components/responses/Options' }),
    'POST /pets',
    'The answer 202 is new',
  ],
  [
    'a header of an answer is removed',
    remove(`${list} responses 200 headers Link`),
    'GET /pets',
    'The header `Link` of the answer 200 was removed',
  ],
  [
    'a header of answers becomes optional',
    remove('components headers Retry-After required'),
    'components.headers.Retry-After',
    'The header `Retry-After` may now be missing',
  ],
  [
    'an operation has another id',
    set(`${fetch} operationId`, 'fetchPet'),
    'GET /pets/{petId}',
    'The operationId of GET /pets/{petId} is now `fetchPet`',
  ],
  [
    'a query parameter has another name',
    set('components parameters Status name', 'state'),
    'components.parameters.Status',
    'The query parameter `status` is now named `state`',
  ],
  [
    'a query parameter is removed',
    remove(`${list} parameters 1`),
    'GET /pets',
    'The query parameter `status` was removed',
  ],
  [
    'a parameter becomes required',
    set('components parameters IdempotencyKey required', true),
    'components.parameters.IdempotencyKey',
    'The header parameter `Idempotency-Key` is now required',
  ],
  [
    'a required parameter is added',
    append(`${list} parameters`, parameter(true)),
    'GET /pets',
    'The query parameter `owner` is new and required',
  ],
  [
    'a parameter is written otherwise',
    set('components parameters Status style', 'pipeDelimited'),
    'components.parameters.Status',
    '`style` of the query parameter `status`',
  ],
  [
    'a body has another media type',
    rename(`${create} requestBody content application/json`, 'application/cbor'),
    'POST /pets',
    'The media type application/json for the body was removed',
  ],
  [
    'a sunset is earlier',
    set(`${fetch} x-sunset`, '2028-12-05'),
    'GET /pets/{petId}',
    'The sunset of GET /pets/{petId} is now `2028-12-05`; it was `2030-12-05`',
  ],
  [
    'a path parameter has another name',
    together(
      rename('paths /pets/{petId}', '/pets/{id}'),
      set('components parameters PetId name', 'id'),
    ),
    'components.parameters.PetId',
    'The path parameter `petId` is now named `id`',
  ],
  [
    'a replacement and its operation have another name',
    together(
      set(`${list} operationId`, 'listAnimals'),
      set(`${fetch} x-replaced-by operationId`, 'listAnimals'),
    ),
    'GET /pets',
    'The operationId of GET /pets is now `listAnimals`',
  ],
  ['another base path', set('servers 2 url', '/v2'), 'servers', 'Server `/v1` became `/v2`'],
  [
    'another way to authenticate',
    set('components securitySchemes apiKey scheme', 'basic'),
    'components.securitySchemes.apiKey',
    '`scheme` of security scheme `apiKey` changed',
  ],
  [
    'an answer outside operations is removed',
    remove('x-outside-operations 405'),
    'outside operations',
    'The answer 405 was removed',
  ],
]
