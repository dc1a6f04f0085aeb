import { type Edit, set } from '../pipeline/support/spec-edit.ts'
import { optionalHeader } from './code-edits.ts'

const headers = 'components headers'
const responses = 'components responses'
const framing = `${responses} BadRequestFraming`
const json = 'content application/json'
const shorter = { maxLength: 5 }
const tooLong = 'the body/message must NOT have more than 5 characters'
const unsent = 'the header X-Extra is declared, and the service does not send it'

/** Edits that responses of the service violate, each with the line and what is reported there. */
export const responseEdits: readonly (readonly [edit: Edit, at: string, message: string])[] = [
  [
    set(`${headers} X-RateLimit-Reset schema maximum`, 100),
    `${headers} X-RateLimit-Reset schema`,
    'the header X-RateLimit-Reset must be <= 100',
  ],
  [
    set(`${headers} Cache-Control schema const`, 'private'),
    `${headers} Cache-Control schema`,
    'the header Cache-Control must be equal to constant',
  ],
  [
    set(`${headers} WWW-Authenticate schema pattern`, '^Basic'),
    `${headers} WWW-Authenticate schema`,
    'the header WWW-Authenticate must match pattern',
  ],
  [
    set(`${headers} Deprecation schema pattern`, '^@0$'),
    `${headers} Deprecation schema`,
    'the header Deprecation must match pattern',
  ],
  [
    set(`${framing} ${json} schema allOf 1 properties message`, shorter),
    `${framing} ${json} schema description`,
    tooLong,
  ],
  [
    set(`${responses} Unavailable ${json} schema allOf 1 properties message`, shorter),
    `${responses} Unavailable ${json} schema description`,
    tooLong,
  ],
  [
    set(`${responses} MethodNotAllowed headers X-Extra`, optionalHeader),
    `${responses} MethodNotAllowed headers X-Extra description`,
    unsent,
  ],
  [
    set(`${framing} headers X-Extra`, optionalHeader),
    `${framing} headers X-Extra description`,
    unsent,
  ],
  [
    set('x-outside-operations 415', { $ref: '#/components/responses/UnsupportedMediaType' }),
    'x-outside-operations 415 $ref',
    'the status 415 is declared, and the service does not send it',
  ],
]

/** The examples after those edits. */
export const responseExamples: readonly Edit[] = [
  set(`${headers} X-RateLimit-Reset example`, 60),
  set(`${headers} Cache-Control example`, 'private'),
  set(`${headers} WWW-Authenticate example`, 'Basic'),
  set(`${headers} Deprecation example`, '@0'),
  set(`${framing} ${json} examples twoHosts value message`, 'No.'),
  set(`${responses} Unavailable ${json} examples unavailable value message`, 'No.'),
]
