import { type Edit, set, together } from '../../helpers/spec-edit.ts'

const framing = 'components responses BadRequestFraming content application/json'

/** An edit that responses of the service violate, the key it is reported at, and what is reported. */
type ResponseEdit = readonly [edit: Edit, at: string, message: string]

export const responseEdits: readonly ResponseEdit[] = [
  ofHeader('X-RateLimit-Reset', 'maximum', 100, 60, 'must be <= 100'),
  ofHeader('Cache-Control', 'const', 'private', 'private', 'must be equal to constant'),
  ofHeader('WWW-Authenticate', 'pattern', '^Basic', 'Basic', 'must match pattern'),
  ofHeader('Deprecation', 'pattern', '^@0$', '@0', 'must match pattern'),
  [
    together(
      set(`${framing} schema allOf 1 properties message`, { maxLength: 5 }),
      set(`${framing} examples twoHosts value message`, 'No.'),
    ),
    `${framing} schema description`,
    'the body/message must NOT have more than 5 characters',
  ],
]

function ofHeader(
  ...[name, keyword, value, example, violation]: readonly [string, string, unknown, unknown, string]
): ResponseEdit {
  const header = `components headers ${name}`
  const edit = together(
    set(`${header} schema ${keyword}`, value),
    set(`${header} example`, example),
  )
  return [edit, `${header} schema`, `the header ${name} ${violation}`]
}
