import { deletePet } from '../../edits/support/changes.ts'
import { remove, set } from '../../pipeline/support/spec-edit.ts'
import { append, parameter } from './lists.ts'
import type { Row } from './row.ts'

const fields = 'components schemas PetFields'
const list = 'paths /pets get'
const create = 'paths /pets post'
const fetch = 'paths /pets/{petId} get'
const refuse = { $ref: '#/components/responses/NotFound' }

/** Edits that give consumers more, and break nobody. */
export const minorEdits: readonly Row[] = [
  [
    'an operation is added',
    set('paths /pets/{petId} delete', deletePet),
    'DELETE /pets/{petId}',
    'DELETE /pets/{petId} is new, `deletePet`',
  ],
  [
    'an optional parameter is added',
    append(`${list} parameters`, parameter(false)),
    'GET /pets',
    'The query parameter `owner` is new and optional',
  ],
  [
    'an optional member is added',
    set(`${fields} properties nickname`, { type: 'string' }),
    'components.schemas.PetFields',
    '`nickname` of `PetFields` is new',
  ],
  [
    'a parameter is limited less',
    set('components parameters Limit schema maximum', 200),
    'components.parameters.Limit',
    '`maximum` of the query parameter `limit` is now `200`',
  ],
  [
    'a body may be larger',
    set(`${create} requestBody x-max-bytes`, 200_000),
    'POST /pets',
    'The largest size of the body, in bytes, is now `200000`',
  ],
  [
    'another failure is answered',
    set(`${list} responses 404`, refuse),
    'GET /pets',
    'The answer 404 is new',
  ],
  [
    'another code of failures',
    append('components schemas ErrorCode enum', 'gone'),
    'components.schemas.ErrorCode',
    '`ErrorCode` now also allows `gone`',
  ],
  [
    'a list in failures may be longer',
    set('components schemas Error properties details maxItems', 200),
    'components.schemas.Error',
    '`maxItems` of `details` of `Error` is now `200`',
  ],
  [
    'a header is added',
    set(`${list} responses 200 headers X-Count`, { schema: { type: 'integer' } }),
    'GET /pets',
    'The header `X-Count` of the answer 200 is new',
  ],
  [
    'an operation is deprecated',
    set(`${create} deprecated`, true),
    'POST /pets',
    'POST /pets is deprecated',
  ],
  [
    'a sunset is later',
    set(`${fetch} x-sunset`, '2031-12-05'),
    'GET /pets/{petId}',
    'The sunset of GET /pets/{petId} is now `2031-12-05`',
  ],
  [
    'a header keeps to a narrower promise',
    set('components headers X-RateLimit-Limit schema minimum', 1),
    'components.headers.X-RateLimit-Limit',
    '`minimum` of the header `X-RateLimit-Limit` is now `1`',
  ],
  [
    'no key is needed',
    set('security', []),
    'security',
    'Credentials of `apiKey` are no longer asked for',
  ],
  [
    'nothing is said of a key any more',
    remove('security'),
    'security',
    'Credentials of `apiKey` are no longer asked for',
  ],
  [
    'no key is needed for one operation',
    set(`${list} security`, []),
    'GET /pets',
    'Credentials of `apiKey` are no longer asked for',
  ],
  [
    'a key is optional',
    set('security', [{ apiKey: [] }, {}]),
    'security',
    'Calls without credentials are now let in as well',
  ],
]
