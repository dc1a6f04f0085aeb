import { together } from '../../drift/support/changes.ts'
import { remove, rename, set } from '../../pipeline/support/spec-edit.ts'
import { append, parameter } from './lists.ts'
import type { Row } from './row.ts'

const list = 'paths /tools get'
const create = 'paths /tools post'
const fetch = 'paths /tools/{toolId}/manual get'

/** Edits of operations, and of what they share, that break consumers. */
export const breakingCalls: readonly Row[] = [
  [
    'an answer is removed',
    remove(`${create} responses 422`),
    'POST /tools',
    'The answer 422 was removed',
  ],
  [
    'another success is added',
    set(`${create} responses 202`, { $ref: '#/components/responses/Options' }),
    'POST /tools',
    'The answer 202 is new',
  ],
  [
    'a header of an answer is removed',
    remove(`${list} responses 200 headers Link`),
    'GET /tools',
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
    set(`${fetch} operationId`, 'fetchManual'),
    'GET /tools/{toolId}/manual',
    'The operationId of GET /tools/{toolId}/manual is now `fetchManual`',
  ],
  [
    'a query parameter has another name',
    set('components parameters Status name', 'state'),
    'components.parameters.Status',
    'The query parameter `status` is now named `state`',
  ],
  [
    'a query parameter is removed',
    remove(`${list} parameters 8`),
    'GET /tools',
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
    'GET /tools',
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
    'POST /tools',
    'The media type application/json for the body was removed',
  ],
  [
    'a sunset is earlier',
    set(`${fetch} x-sunset`, '2028-12-05'),
    'GET /tools/{toolId}/manual',
    'The sunset of GET /tools/{toolId}/manual is now `2028-12-05`; it was `2030-12-05`',
  ],
  [
    'a path parameter has another name',
    together(
      rename('paths /members/{member}/loans/{number}.json', '/members/{member}/loans/{id}.json'),
      set('components parameters LoanNumber name', 'id'),
    ),
    'components.parameters.LoanNumber',
    'The path parameter `number` is now named `id`',
  ],
  [
    'a replacement and its operation have another name',
    together(
      set('paths /tools/{toolId} get operationId', 'fetchTool'),
      set(`${fetch} x-replaced-by operationId`, 'fetchTool'),
    ),
    'GET /tools/{toolId}',
    'The operationId of GET /tools/{toolId} is now `fetchTool`',
  ],
  [
    'another base path',
    set('servers 1 url', '/v2'),
    'servers',
    'Server `/lending/v2` became `/v2`',
  ],
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
