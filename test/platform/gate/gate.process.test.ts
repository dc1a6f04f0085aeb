import { expect, test } from 'vitest'
import { append, drop, type Edit, remove, rename, set, together } from '../../helpers/spec-edit.ts'
import { bump, type Circumstances, judge, parameter } from './support/gate.ts'

interface Row extends Circumstances {
  readonly edit?: Edit
  readonly errors?: readonly RegExp[]
  readonly notes?: readonly RegExp[]
}

const manual = 'paths /tools/{toolId}/manual get'
const member = 'components schemas ToolFields properties status'
const cursor = 'components parameters Cursor'
const major = bump('2.0.0')
const sunset = { deprecated: true, 'x-sunset': '2027-06-01' }
const required = { required: ['status'] }
const withoutSold = together(drop('components schemas Status enum', 'sold'), major)
const migrated = 'components.schemas.Status: Migration 3 made every sold tool pending.'

const rows: Readonly<Record<string, Row>> = {
  'a version that is too low is named with the one to write and the changes that need it': {
    edit: drop('components schemas Status enum', 'sold'),
    errors: [
      /openapi\.yaml:\d+:\d+ info\.version is 1\.0\.0 and must be at least 2\.0\.0, because the changes since v1\.0\.0 \(1\.0\.0\) need it; write version: 2\.0\.0, then run: npm run generate$/,
      /^ {2}major: \S+openapi\.yaml:\d+ components\.schemas\.Status: `Status` no longer allows `sold`\. \[request-parameter-enum-value-removed\]$/,
      /Values that were stored before may not comply, and would become a 500/,
      /stored-values\.yaml does not exist; write into it:$/,
    ],
  },
  'a version below the released one fails even without a change': {
    edit: bump('0.9.0'),
    errors: [/must be at least 1\.0\.0, because v1\.0\.0 has it/],
  },
  'before the first release there is nothing to compare with, and a line says so': {
    released: undefined,
    notes: [/^there is no release yet .*: npm run release$/],
  },
  'a deprecated operation must not be removed before its sunset, whatever the version': {
    edit: together(remove(manual), major),
    errors: [
      /base\.yaml:\d+ GET \/tools\/\{toolId\}\/manual, .* It must not be removed before 2030-12-05; put GET \/tools\/\{toolId\}\/manual back until 2030-12-05$/,
    ],
  },
  'on the day of its sunset it may be removed as a major version': {
    edit: together(remove(manual), major),
    today: new Date('2030-12-05'),
  },
  'from its sunset on an operation that is still there fails at its line': {
    today: new Date('2030-12-05'),
    errors: [
      /openapi\.yaml:\d+:17 GET \/tools\/\{toolId\}\/manual was to be removed on 2030-12-05 and is still there; remove GET \/tools\/\{toolId\}\/manual from the spec, or give its consumers more time with a later x-sunset$/,
    ],
  },
  '91 days before a sunset no note reminds of it': { today: new Date('2030-09-05T23:59:59Z') },
  '90 days before a sunset a note reminds of it': {
    today: new Date('2030-09-06T00:00:00Z'),
    notes: [
      /^GET \/tools\/\{toolId\}\/manual will be removed on 2030-12-05, in 90 days; notify its consumers$/,
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
      /^the query parameter `owner` \(GET \/tools\) will be removed on 2026-12-01, in 11 days; notify/,
    ],
  },
  'an operation that was never deprecated must not move to another path': {
    edit: together(rename('paths /tools', '/hammers'), major),
    errors: [
      /base\.yaml:\d+ GET \/tools, `listTools`, was removed/,
      /base\.yaml:\d+ POST \/tools, `createTool`, was removed\. It was never announced; put POST \/tools back with deprecated/,
    ],
  },
  'a deprecated field or parameter must not be removed before its sunset': {
    before: together(
      set(member, { type: 'string', enum: ['available', 'pending', 'sold'], ...sunset }),
      set(`${cursor} x-sunset`, '2027-06-01'),
    ),
    edit: together(...[member, 'paths /tools get parameters 1', cursor].map(remove), major),
    errors: [
      /`cursor` .* must not be removed before 2027-06-01/,
      /`status` .* must not be removed before 2027-06-01/,
    ],
  },
  'what has a sunset that is no day can neither stay nor be removed': {
    before: set(`${member} x-sunset`, '2027-13-01'),
    edit: together(remove(member), set(`${cursor} x-sunset`, 'soon'), major),
    errors: [
      /`status` .* must not be removed before 2027-13-01/,
      /`cursor` .* was to be removed on soon and is still there/,
    ],
  },
  'a deprecated parameter must not get another name before its sunset': {
    before: set(`${cursor} x-sunset`, '2027-06-01'),
    edit: together(set(`${cursor} name`, 'start'), major),
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
    before: set(`${cursor} schema not`, { maxLength: 3 }),
    edit: set(`${cursor} schema not`, { maxLength: 5 }),
    errors: [
      /must be at least 2\.0\.0, because/,
      /major: .* `maxLength` of `not` of the query parameter `cursor` is now `5`/,
    ],
  },
  'keywords that are new in schemas of responses ask what became of stored values': {
    edit: together(
      set('components schemas ToolFields allOf', [required]),
      set('components schemas ToolFields dependentSchemas', {
        note: { ...required, minProperties: 2 },
      }),
      set('components schemas Tools prefixItems', [required]),
      major,
    ),
    errors: [
      /Tools: `oneOf` of item 0 of `Tools` was changed\. Values that were stored before may not/,
      /ToolFields: `ToolFields` now requires `status`\. Values that were stored before may not/,
      /ToolFields: `dependentSchemas` of .* Values that were stored before may not/,
      /stored-values\.yaml does not exist; write into it:$/,
    ],
  },
  'a narrowed field asks what became of stored values': {
    edit: withoutSold,
    errors: [
      /no longer allows `sold`\. .*; migrate the stored values of \S+, then write what was done in \S+stored-values\.yaml$/,
      /stored-values\.yaml does not exist; write into it:$/,
    ],
  },
  'a narrowed field still asks where the values are written down for another version': {
    edit: withoutSold,
    storedValues: `1.0.0:\n  ${migrated}`,
    errors: [/no longer allows `sold`/, /has 1\.0\.0, but not 2\.0\.0; add at its end:$/],
  },
  'a narrowed field asks no more once it is written down what became of stored values': {
    edit: withoutSold,
    storedValues: `2.0.0:\n  ${migrated}`,
  },
}

test.for(Object.entries(rows))('%s', async ([, row]) => {
  const { edit = () => undefined, errors = [], notes = [], ...circumstances } = row
  const found = await judge(edit, circumstances)
  expect(found.errors).toEqual(errors.map((error) => expect.stringMatching(error)))
  expect(found.notes).toEqual(notes.map((note) => expect.stringMatching(note)))
})

const twoFields = together(withoutSold, set('components schemas Tools prefixItems', [required]))
const asked = 'Values that were stored before may not comply'

test.for([
  ['that does not exist', undefined, / does not exist; write into it:$/],
  ['that is empty', '# Nothing yet.\n', / is empty; write into it:$/],
  ['of another version', '1.0.0:\n  GET /tools: Done.\n', / has 1\.0\.0, but not 2\.0\.0; add at /],
  ['that is a list', '- 2.0.0\n', / has a list instead of versions; write in its place:$/],
  [
    'whose places are above versions',
    '# Notes\ncomponents.schemas.Status:\n  2.0.0: Done.\n',
    /:2 has components\.schemas\.Status where a version is expected; write in its place:$/,
  ],
  ['without a version', `${migrated}\n`, /:1 has components\.schemas\.Status where a version is /],
  [
    'with half a version',
    '2.0:\n  components.schemas.Status: Done.\n',
    /:1 has 2 where a version /,
  ],
  [
    'with a text for a version',
    '2.0.0: Done.\n',
    /:1 under 2\.0\.0, it has a text instead of a text for each place; write in its place:$/,
  ],
  [
    'with an empty version',
    '2.0.0:\n',
    /:1 under 2\.0\.0, it has nothing instead of a text for each place/,
  ],
  [
    'with one of two places',
    `2.0.0:\n  ${migrated}\n`,
    /:1 under 2\.0\.0, it has nothing under components\.schemas\.Tools instead of a text; /,
  ],
  [
    'with another kind of note',
    `2.0.0:\n  ${migrated}\n  components.schemas.Tools: { text: Done. }\n`,
    /it has a map under components\.schemas\.Tools instead of a text; /,
  ],
  [
    'with an empty note',
    "2.0.0: { components.schemas.Status: '' }\n",
    /it has nothing under components\.schemas\.Status and nothing under /,
  ],
] as const)(
  'for a file of stored values %s, the gate says what it has and which lines to write, and accepts these',
  async ([, storedValues, reading]) => {
    const { errors, snippets } = await judge(twoFields, { storedValues })
    expect(errors.slice(0, -1).every((error) => error.includes(asked))).toBe(true)
    expect(errors.at(-1)).toMatch(reading)
    expect(snippets).toHaveLength(1)
    const [snippet = ''] = snippets
    const isAdded = errors.at(-1)?.endsWith('add at its end:') === true
    const pasted = isAdded ? `${storedValues}${snippet}\n` : `${snippet}\n`
    expect((await judge(twoFields, { storedValues: pasted })).errors).toEqual([])
    // What was written before stays.
    if (storedValues?.includes(`2.0.0:\n  ${migrated}`)) {
      expect(snippet).toContain(migrated)
    }
  },
)

test('a version that is not three numbers is rejected', async () => {
  await expect(judge(bump('1.1'))).rejects.toThrow(
    /^info\.version of .+openapi\.yaml is "1\.1"; write three numbers/,
  )
})
