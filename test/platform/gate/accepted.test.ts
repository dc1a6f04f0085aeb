import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { passGate, toLines } from '../../../scripts/diff/gate.ts'
import { drop, editText, remove, set, together } from '../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { readBase } from '../pipeline/support/workspace.ts'

const limited = ['request-parameter-max-decreased', 'components.parameters.Limit'] as const
/** Five verdicts that may be found wrong. */
const entries: readonly (readonly [id: string, place: string])[] = [
  ['request-parameter-enum-value-removed', 'components.schemas.Status'],
  limited,
  ['optional-response-header-removed', 'GET /tools'],
  ['api-pagination-removed', 'GET /tools'],
  ['api-removed-with-deprecation', 'GET /tools/{toolId}/manual'],
] as const

const edit = together(
  drop('components schemas Status enum', 'sold'),
  set('components parameters Limit schema maximum', 20),
  remove('paths /tools get responses 200 headers X-Total'),
  remove('paths /tools get x-paginated-by'),
  remove('paths /tools/{toolId}/manual get'),
)

/** Returns what the gate finds with a file of accepted changes, on 2026-11-20. */
async function judge(accepted: string, today = '2026-11-20') {
  const folder = createTemporaryFolder()
  const text = await readBase()
  const save = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  save('accepted-changes.yaml', accepted)
  const spec = save('openapi.yaml', editText(text, edit))
  const released = { ref: 'v1.0.0', file: save('base.yaml', text) }
  const { errors, notes, diff } = passGate({ spec, released, today: new Date(today) })
  return { errors: toLines(errors), notes, diff }
}

const write = (list: readonly (readonly [id: string, place: string, more?: string])[]) =>
  list
    .map(
      ([id, place, more = '']) => `- id: ${id}\n  place: ${place}\n  reason: Not in use.\n${more}`,
    )
    .join('')

test('accepted changes need no version but a patch, and are listed with their reasons', async () => {
  const { diff, notes } = await judge('')
  expect(diff).toMatchObject({ bump: 'major', accepted: [] })
  expect(notes).toEqual([])
  const found = diff?.changes.filter(({ breaking }) => breaking) ?? []
  const passed = await judge(write(found.map(({ id, place }) => [id, place])))
  expect(passed.diff).toMatchObject({ bump: 'patch', needed: '1.0.1' })
  expect(passed.diff?.accepted).toHaveLength(found.length)
  expect(found.length).toBeGreaterThanOrEqual(5)
  expect(passed.notes[0]).toMatch(
    /^accepted: .*base\.yaml|^accepted: .*openapi\.yaml:\d+ .* Not in use\.$/,
  )
  expect(passed.errors.filter((line) => !line.includes('info.version'))).toEqual(
    passed.errors.filter((line) => /^ {2}patch|^ {2}and /.test(line)),
  )
})

test.for(entries)('%s at another place is an error with its line', async ([id]) => {
  const { errors } = await judge(write([[id, 'GET /nowhere']]))
  expect(errors).toContainEqual(
    expect.stringMatching(
      `accepted-changes\\.yaml:1:3 there is no change ${id} at GET /nowhere, but at `,
    ),
  )
})

test('an entry holds until its day, and is an error after it', async () => {
  const entry = write([[...limited, '  until: 2026-12-31\n']])
  const held = await judge(entry, '2026-12-31')
  expect(held.diff?.accepted).toHaveLength(1)
  const expired = await judge(entry, '2027-01-01')
  expect(expired.diff?.accepted).toEqual([])
  expect(expired.errors).toContainEqual(
    expect.stringMatching(
      /accepted-changes\.yaml:1:3 .* held until 2026-12-31; remove it, or give it /,
    ),
  )
})

test('before the first release an entry holds until its day, too, and must be well-formed', async () => {
  const folder = createTemporaryFolder()
  const spec = join(folder, 'openapi.yaml')
  writeFileSync(spec, await readBase())
  const pass = (accepted: string, today: string) => {
    writeFileSync(join(folder, 'accepted-changes.yaml'), accepted)
    return toLines(passGate({ spec, released: undefined, today: new Date(today) }).errors)
  }
  const entry = write([[...limited, '  until: 2026-12-31\n']])
  expect(pass(entry, '2026-12-31')).toEqual([])
  expect(pass(entry, '2027-01-01')).toEqual([expect.stringMatching(/held until 2026-12-31/)])
  expect(() => pass('id: server-added\n', '2026-12-31')).toThrow(/is no list of entries/)
})

test('an entry can name one of several changes by a part of its sentence', async () => {
  const [id, place] = limited
  const { diff } = await judge(write([[id, place, '  what: is now `20`\n']]))
  expect(diff?.accepted).toHaveLength(1)
  const { errors } = await judge(write([[id, place, '  what: is now `30`\n']]))
  expect(errors).toContainEqual(
    expect.stringMatching(/no change .* that says "is now `30`"; remove this/),
  )
})

test.for([
  [
    'an unknown ID',
    write([['request-parameter-max-decreasd', 'A']]),
    /:1:7 there is no rule .*; did you mean request-parameter-max-decreased\?$/,
  ],
  ['no reason', '- id: server-added\n  place: servers\n', /:1:3 has no reason; write one$/],
  [
    'another key',
    `${write([limited])}  day: 2026-12-31\n`,
    /:4:8 has the unknown key day; there are id, place, reason, what, until$/,
  ],
  [
    'a day that is none',
    `${write([limited])}  until: soon\n`,
    /:4:10 until is no day, such as 2027-01-31$/,
  ],
  ['no list', 'id: server-added\n', /:1:1 is no list of entries with id, place and reason$/],
  ['another syntax', '- [\n', /:\d+:\d+ syntax /],
] as const)(
  'a file of accepted changes with %s is an error with its line',
  async ([, text, error]) => {
    await expect(judge(text)).rejects.toThrow(error)
  },
)

test('an entry that matches nothing at all is to be removed', async () => {
  const { errors } = await judge(write([limited, ['server-added', 'servers']]))
  expect(errors).toContainEqual(
    expect.stringMatching(/:4:3 there is no change server-added at servers; remove this entry$/),
  )
})
