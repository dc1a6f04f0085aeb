import { expect, test } from 'vitest'
import { passGate } from '../../../scripts/diff/gate.ts'
import { append, drop, type Edit, remove, rename, set, together } from '../../helpers/spec-edit.ts'
import { bump, judge, parameter, prepare, today } from './support/gate.ts'

interface Row {
  readonly edit: Edit
  /** What was released, if not the fixture API as it is. */
  readonly released?: Edit
  readonly day?: string
  readonly errors: readonly RegExp[]
  readonly notes?: readonly string[]
}

const manual = 'paths /tools/{toolId}/manual get'
const member = 'components schemas ToolFields properties status'
const major = bump('2.0.0')
const sunset = { deprecated: true, 'x-sunset': '2027-06-01' }
const withSunsets = together(
  set(member, { type: 'string', enum: ['available', 'pending', 'sold'], ...sunset }),
  set('components parameters Cursor x-sunset', '2027-06-01'),
)
const withoutThem = together(
  remove(member),
  remove('paths /tools get parameters 1'),
  remove('components parameters Cursor'),
  major,
)
const neverAnnounced =
  /base\.yaml:39 POST \/tools, `createTool`, was removed\. It was never announced; put it/

const required = { required: ['status'] }
/** Keywords that make a schema of responses narrower where they are new. */
const narrowing: readonly (readonly [schema: string, keyword: string, value: unknown])[] = [
  ['ToolFields', 'allOf', [required]],
  ['ToolFields', 'dependentSchemas', { note: required }],
  ['Tools', 'prefixItems', [required]],
]

const rows: Readonly<Record<string, Row>> = {
  'a version that is too low is named with the one to write and the changes that need it': {
    edit: drop('components schemas Status enum', 'sold'),
    errors: [
      /openapi\.yaml:\d+:\d+ info\.version is 1\.0\.0 and must be at least 2\.0\.0, because the changes since v1\.0\.0 \(1\.0\.0\) need it; write version: 2\.0\.0, then run: npm run generate$/,
      /^ {2}major: \S+openapi\.yaml:\d+ components\.schemas\.Status: `Status` no longer allows `sold`\.$/,
      /Values that were stored before may not comply, and would become a 500/,
    ],
  },
  'a version below the released one fails even without a change': {
    edit: bump('0.9.0'),
    errors: [/must be at least 1\.0\.0, because v1\.0\.0 has it/],
  },
  'a deprecated operation must not be removed before its sunset, whatever the version': {
    edit: together(remove(manual), major),
    errors: [
      /base\.yaml:\d+ GET \/tools\/\{toolId\}\/manual, .* It must not be removed before 2030-12-05; put it back/,
    ],
  },
  'on the day of its sunset it may be removed as a major version': {
    edit: together(remove(manual), major),
    day: '2030-12-05',
    errors: [],
  },
  'from its sunset on an operation that is still there fails at its line': {
    edit: () => undefined,
    day: '2030-12-05',
    errors: [
      /openapi\.yaml:283:17 GET \/tools\/\{toolId\}\/manual was to be removed on 2030-12-05 and is still there; remove it from the spec, or give its consumers more time with a later x-sunset$/,
    ],
  },
  'a parameter and a field that have a sunset are named as such': {
    edit: together(
      append('paths /tools get parameters', { ...parameter(false), 'x-sunset': '2026-12-01' }),
      set(`${member} x-sunset`, '2026-11-01'),
      major,
    ),
    errors: [
      /openapi\.yaml:\d+:\d+ `status` of `ToolFields` \(components\.schemas\.ToolFields\) was to be removed on /,
    ],
    notes: [
      'the query parameter `owner` (GET /tools) will be removed on 2026-12-01, in 11 days; notify its consumers',
    ],
  },
  'an operation that was never deprecated must not move to another path': {
    edit: together(rename('paths /tools', '/hammers'), major),
    errors: [neverAnnounced, /base\.yaml:\d+ GET \/tools, `listTools`, was removed/],
  },
  'a deprecated field or parameter must not be removed before its sunset': {
    released: withSunsets,
    edit: withoutThem,
    errors: [
      /`status` .* must not be removed before 2027-06-01/,
      /`cursor` .* must not be removed before 2027-06-01/,
    ],
  },
  'what has a sunset that is no day can neither stay nor be removed': {
    released: set(`${member} x-sunset`, '2027-13-01'),
    edit: together(remove(member), set('components parameters Cursor x-sunset', 'soon'), major),
    errors: [
      /`status` .* must not be removed before 2027-13-01/,
      /`cursor` .* was to be removed on soon and is still there/,
    ],
  },
  'a deprecated parameter must not get another name before its sunset': {
    released: set('components parameters Cursor x-sunset', '2027-06-01'),
    edit: together(set('components parameters Cursor name', 'start'), major),
    errors: [/query parameter `cursor` was removed\. It must not be removed before 2027-06-01/],
  },
  'headers of a deprecation are not named beside it': {
    edit: together(
      set('paths /tools post deprecated', true),
      ...['Deprecation', 'Sunset', 'Link'].map((name) =>
        set(`paths /tools post responses 201 headers ${name}`, {
          $ref: `#/components/headers/${name}`,
        }),
      ),
    ),
    errors: [/must be at least 1\.1\.0, because/, /minor: .* POST \/tools is now deprecated/],
  },
  'what must not match is wider, so that less is allowed': {
    released: set('components parameters Cursor schema not', { maxLength: 3 }),
    edit: set('components parameters Cursor schema not', { maxLength: 5 }),
    errors: [
      /must be at least 2\.0\.0, because/,
      /major: .* `maxLength` of `not` of the query parameter `cursor` is now `5`/,
    ],
  },
}

test.for(Object.entries(rows))('%s', async ([, { edit, released, day, errors, notes }]) => {
  const found = await judge(edit, day === undefined ? today : new Date(day), released)
  if (notes !== undefined) expect(found.notes).toEqual(notes)
  expect(found.errors).toHaveLength(errors.length)
  for (const error of errors) expect(found.errors).toContainEqual(expect.stringMatching(error))
})

test.for([
  ['2030-09-05T23:59:59Z', []],
  [
    '2030-09-06T00:00:00Z',
    ['GET /tools/{toolId}/manual will be removed on 2030-12-05, in 90 days; notify its consumers'],
  ],
] as const)('at %s the reminders of a sunset are %j', async ([moment, notes]) => {
  expect(await judge(() => undefined, new Date(moment))).toMatchObject({ errors: [], notes })
})

test('what makes a schema of responses narrower asks what became of stored values', async () => {
  const edits = narrowing.map(([schema, keyword, value]) =>
    set(`components schemas ${schema} ${keyword}`, value),
  )
  const { errors } = await judge(together(...edits, major))
  const reported = narrowing.map(([schema, keyword]) =>
    expect.stringMatching(`${schema}: \`${keyword}\` of .* Values that were stored before may not`),
  )
  expect(errors).toEqual(expect.arrayContaining(reported))
  expect(errors).toHaveLength(reported.length)
})

test('before the first release there is nothing to compare with, and a line says so', async () => {
  const { spec } = await prepare(() => undefined)
  expect(await passGate({ spec, released: undefined, today })).toMatchObject({
    errors: [],
    notes: [expect.stringMatching(/^there is no release yet .*: npm run release$/)],
  })
})

test('a version that is not three numbers is rejected', async () => {
  await expect(judge(bump('1.1'))).rejects.toThrow(
    /^info\.version of .+openapi\.yaml is "1\.1"; write three numbers/,
  )
})

test('a narrowed field asks what became of stored values until it is written down', async () => {
  const edit = together(drop('components schemas Status enum', 'sold'), major)
  const errorsWith = async (notes: string) => (await judge(edit, today, undefined, notes)).errors
  expect(await errorsWith('')).toEqual([
    expect.stringMatching(
      /no longer allows `sold`\. .* under components\.schemas\.Status below 2\.0\.0$/,
    ),
  ])
  const text = 'components.schemas.Status: Migration 3 made every sold tool pending.\n'
  expect(await errorsWith(`1.0.0:\n  ${text}`)).toHaveLength(1)
  expect(await errorsWith(`2.0.0:\n  ${text}`)).toEqual([])
})

test('a comparison that is outdated ends with its process', async () => {
  const { spec, base } = await prepare(bump('1.1.0'))
  const released = { ref: 'v1.0.0', file: base }
  const comparing = passGate({ spec, released, today, signal: AbortSignal.abort() })
  await expect(comparing).rejects.toMatchObject({ name: 'AbortError' })
})
