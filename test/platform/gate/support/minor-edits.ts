import { remove, set } from '../../pipeline/support/spec-edit.ts'
import { append, parameter } from './lists.ts'
import type { Row } from './row.ts'

const fields = 'components schemas ToolFields'
const list = 'paths /tools get'
const create = 'paths /tools post'
const fetch = 'paths /tools/{toolId}/manual get'
const refuse = { $ref: '#/components/responses/NotFound' }

/** Edits that give consumers more, and break nobody. */
export const minorEdits: readonly Row[] = [
  [
    'an operation is added',
    set('paths /tools/{toolId}/manual delete', {
      operationId: 'deleteManual',
      parameters: [{ $ref: '#/components/parameters/ToolId' }],
      responses: { 204: { description: 'The manual is deleted.' } },
    }),
    'DELETE /tools/{toolId}/manual',
    'DELETE /tools/{toolId}/manual is new, `deleteManual`',
  ],
  [
    'an optional parameter is added',
    append(`${list} parameters`, parameter(false)),
    'GET /tools',
    'The query parameter `owner` is new and optional',
  ],
  [
    'an optional member is added',
    set(`${fields} properties nickname`, { type: 'string' }),
    'components.schemas.ToolFields',
    '`nickname` of `ToolFields` is new',
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
    'POST /tools',
    'The largest size of the body, in bytes, is now `200000`',
  ],
  [
    'another failure is answered',
    set(`${list} responses 404`, refuse),
    'GET /tools',
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
    'GET /tools',
    'The header `X-Count` of the answer 200 is new',
  ],
  [
    'an operation is deprecated',
    set(`${create} deprecated`, true),
    'POST /tools',
    'POST /tools is deprecated',
  ],
  [
    'a sunset is later',
    set(`${fetch} x-sunset`, '2031-12-05'),
    'GET /tools/{toolId}/manual',
    'The sunset of GET /tools/{toolId}/manual is now `2031-12-05`',
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
    'GET /tools',
    'Credentials of `apiKey` are no longer asked for',
  ],
  [
    'a key is optional',
    set('security', [{ apiKey: [] }, {}]),
    'security',
    'Calls without credentials are now let in as well',
  ],
]
