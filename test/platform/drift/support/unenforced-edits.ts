import { set, together } from '../../pipeline/support/spec-edit.ts'
import type { Enforced } from './edits.ts'
import { get } from './service.ts'

const parameters = 'components parameters'
const headers = 'components headers'

/** What parameters say and the service ignores. */
export const ignored: readonly Enforced[] = [
  [
    'a keyword beside $ref in a parameter',
    '{ $ref: Id, minimum: 1 } for petId',
    set(`${parameters} PetId schema minimum`, 1),
    get('/pets/0'),
    404,
    400,
  ],
  [
    'a keyword beside $ref in a parameter',
    '{ $ref: PetStatus, enum: [available] } for status',
    set(`${parameters} Status schema enum`, ['available']),
    get('/pets?status=sold'),
    200,
    400,
  ],
  [
    'a parameter with a default made required',
    'limit in a query',
    set(`${parameters} Limit required`, true),
    get('/pets'),
    200,
    400,
  ],
]

/** What headers say and the code says again: the responses are 500 until both say the same. */
export const repeated: readonly Enforced[] = [
  [
    'the pattern of X-Request-Id narrowed',
    'at most 40 characters',
    set(`${headers} X-Request-Id schema pattern`, '^[A-Za-z0-9-]{8,40}$'),
    { ...get('/pets'), headers: { 'X-Request-Id': 'a'.repeat(50) } },
    200,
    200,
  ],
  [
    'the value of a fixed header changed',
    'Cache-Control is private',
    together(
      set(`${headers} Cache-Control schema const`, 'private'),
      set(`${headers} Cache-Control example`, 'private'),
    ),
    get('/pets'),
    200,
    200,
  ],
]
