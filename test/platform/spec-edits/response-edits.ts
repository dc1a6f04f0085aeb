import { type Edit, set } from '../pipeline/support/spec-edit.ts'
import { optionalHeader } from './code-edits.ts'

const headers = 'components headers'
const responses = 'components responses'
const framing = `${responses} BadRequestFraming`
const overload = `${responses} Unavailable`
const json = 'content application/json'
const message = 'schema allOf 1 properties message'
const tooLong = 'the body/message must NOT have more than 5 characters'
const unsent = 'the service does not send the header X-Extra'

/** An edit that responses of the service violate, the key it is reported at, and what is reported. */
type ResponseEdit = readonly [edit: Edit, at: string, message: string]

export const responseEdits: readonly ResponseEdit[] = [
  ofHeader('X-RateLimit-Reset', 'maximum', 100, 'must be <= 100'),
  ofHeader('Cache-Control', 'const', 'private', 'must be equal to constant'),
  ofHeader('WWW-Authenticate', 'pattern', '^Basic', 'must match pattern'),
  ofHeader('Deprecation', 'pattern', '^@0$', 'must match pattern'),
  ...[framing, overload].map((response): ResponseEdit => {
    const edit = set(`${response} ${json} ${message}`, { maxLength: 5 })
    return [edit, `${response} ${json} schema description`, tooLong]
  }),
  ...[framing, `${responses} MethodNotAllowed`].map((response): ResponseEdit => {
    const path = `${response} headers X-Extra`
    return [set(path, optionalHeader), `${path} description`, unsent]
  }),
  [
    set('x-outside-operations 415', { $ref: '#/components/responses/UnsupportedMediaType' }),
    'x-outside-operations 415 $ref',
    'the service does not send the status 415 there',
  ],
]

/** The examples after those edits. */
export const responseExamples: readonly Edit[] = [
  set(`${headers} X-RateLimit-Reset example`, 60),
  set(`${headers} Cache-Control example`, 'private'),
  set(`${headers} WWW-Authenticate example`, 'Basic'),
  set(`${headers} Deprecation example`, '@0'),
  set(`${framing} ${json} examples twoHosts value message`, 'No.'),
  set(`${overload} ${json} examples unavailable value message`, 'No.'),
]

function ofHeader(name: string, keyword: string, value: unknown, violation: string): ResponseEdit {
  const schema = `${headers} ${name} schema`
  return [set(`${schema} ${keyword}`, value), schema, `the header ${name} ${violation}`]
}
