import { type Edit, set } from '../pipeline/support/spec-edit.ts'

const headers = 'components headers'
const framing = 'components responses BadRequestFraming'
const json = 'content application/json'
const message = 'schema allOf 1 properties message'

/** An edit that responses of the service violate, the key it is reported at, and what is reported. */
type ResponseEdit = readonly [edit: Edit, at: string, message: string]

export const responseEdits: readonly ResponseEdit[] = [
  ofHeader('X-RateLimit-Reset', 'maximum', 100, 'must be <= 100'),
  ofHeader('Cache-Control', 'const', 'private', 'must be equal to constant'),
  ofHeader('WWW-Authenticate', 'pattern', '^Basic', 'must match pattern'),
  ofHeader('Deprecation', 'pattern', '^@0$', 'must match pattern'),
  [
    set(`${framing} ${json} ${message}`, { maxLength: 5 }),
    `${framing} ${json} schema description`,
    'the body/message must NOT have more than 5 characters',
  ],
]

/** The examples after those edits. */
export const responseExamples: readonly Edit[] = [
  set(`${headers} X-RateLimit-Reset example`, 60),
  set(`${headers} Cache-Control example`, 'private'),
  set(`${headers} WWW-Authenticate example`, 'Basic'),
  set(`${headers} Deprecation example`, '@0'),
  set(`${framing} ${json} examples twoHosts value message`, 'No.'),
]

function ofHeader(name: string, keyword: string, value: unknown, violation: string): ResponseEdit {
  const schema = `${headers} ${name} schema`
  return [set(`${schema} ${keyword}`, value), schema, `the header ${name} ${violation}`]
}
