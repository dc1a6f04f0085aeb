import { expect, test } from 'vitest'
import { atKey, locate, set, together } from '../pipeline/support/spec-edit.ts'
import { optionalHeader } from './support/changes.ts'
import { generateIn, runIn } from './support/compiling.ts'
import { createProjectCopy, editSpec } from './support/project-copy.ts'

const headers = 'components headers'
const responses = 'components responses'
const framing = `${responses} BadRequestFraming`
const framingContent = `${framing} content application/json`
const unavailable = `${responses} Unavailable content application/json`

// Each edit, the line that it is reported at, and what is reported there.
const edits = [
  // On every response.
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
  // On some.
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
  // Of malformed HTTP, and of overload.
  [
    set(`${framingContent} schema allOf 1 properties message`, { maxLength: 5 }),
    `${framingContent} schema description`,
    'the body/message must NOT have more than 5 characters',
  ],
  [
    set(`${unavailable} schema allOf 1 properties message`, { maxLength: 5 }),
    `${unavailable} schema description`,
    'the body/message must NOT have more than 5 characters',
  ],
  // Declared, and never sent.
  [
    set(`${responses} MethodNotAllowed headers X-Extra`, optionalHeader),
    `${responses} MethodNotAllowed headers X-Extra description`,
    'the header X-Extra is declared, and the service does not send it',
  ],
  [
    set(`${framing} headers X-Extra`, optionalHeader),
    `${framing} headers X-Extra description`,
    'the header X-Extra is declared, and the service does not send it',
  ],
  [
    set('x-outside-operations 415', { $ref: '#/components/responses/UnsupportedMediaType' }),
    'x-outside-operations 415 $ref',
    'the status 415 is declared, and the service does not send it',
  ],
] as const

const examples = [
  set(`${headers} X-RateLimit-Reset example`, 60),
  set(`${headers} Cache-Control example`, 'private'),
  set(`${headers} WWW-Authenticate example`, 'Basic'),
  set(`${headers} Deprecation example`, '@0'),
  set(`${framingContent} examples twoHosts value message`, 'No.'),
  set(`${unavailable} examples unavailable value message`, 'No.'),
]

test('responses of the service that violate the description, and what is declared and never sent: npm run check fails at each line', {
  timeout: 180_000,
}, async () => {
  const copy = await createProjectCopy()
  const text = await editSpec(copy, together(...edits.map(([edit]) => edit), ...examples))
  expect(await generateIn(copy)).toEqual([])
  const { status, output } = await runIn(copy, 'scripts/check.ts')
  expect(status).toBe(1)
  expect(output).toMatch(/^FAILED responses that the service makes itself/m)
  const lines = output.match(/service-responses/g)
  expect(lines).toHaveLength(edits.length)
  for (const [, place, message] of edits) {
    const { line } = locate(text, atKey(place))
    const reported = new RegExp(
      `^  spec/openapi\\.yaml:${line}:\\d+ service-responses ${message}`,
      'm',
    )
    expect(output).toMatch(reported)
  }
})
