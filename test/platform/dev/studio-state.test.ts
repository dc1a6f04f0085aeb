import { expect, onTestFinished, test } from 'vitest'
import { readEditorUrl } from '../../../scripts/dev/editor-url.ts'
import { initialState, type LoopState } from '../../../scripts/dev/state.ts'
import { Studio } from '../../../scripts/dev/studio.ts'
import type { StudioState } from '../../../scripts/dev/studio-state.ts'
import type { Change, ContractDiff } from '../../../scripts/diff/contract-diff.ts'
import { project } from '../../helpers/program.ts'

const editorUrl = readEditorUrl(undefined)
const compared = { run: 1, isCompared: true, isCodeChecked: true, service: 'http://127.0.0.1:3000' }
const finding = { file: 'spec/openapi.yaml', line: 2, column: 1, rule: 'struct', message: 'Wrong.' }
const line = { file: 'server/api/handlers.ts', line: 3, column: 5, message: 'No such operation.' }
const low = {
  message: '',
  problem: 'spec/openapi.yaml:5:12 info.version is 1.0.0',
  fix: 'write version: 2.0.0',
}
const removal = { message: '', problem: 'GET /a was removed', fix: 'put GET /a back' }

/** A change of a field whose number of characters is limited. */
const change: Change = {
  id: 'request-property-max-length-decreased',
  breaking: true,
  bump: 'major',
  what: '`maxLength` of `Name` is now `5`; it was `9`.',
  consequence: 'Requests that were valid are now rejected with 400.',
  place: 'components.schemas.Name',
  file: 'tsconfig.json',
  line: 3,
  operations: [{ name: 'GET /a', operationId: 'getA' }],
}
const added: Change = { ...change, breaking: false, bump: 'minor' }
const reworded: Change = { ...change, breaking: false, bump: 'patch', isRewording: true }

/** Returns the comparison of a version with 1.0.0. */
function since(
  version: string,
  bump: ContractDiff['bump'],
  needed: string,
  changes: readonly Change[],
): ContractDiff {
  const base = { version: '1.0.0', ref: 'spec/released.yaml' }
  return { base, current: { version }, changes, bump, needed, accepted: [] }
}

/** Shows a state on the studio page, and returns what the page receives. */
async function show(state: Partial<LoopState>): Promise<StudioState> {
  const studio = new Studio(editorUrl)
  const url = await studio.listen('127.0.0.1', 0)
  onTestFinished(() => studio.stop())
  studio.show({ ...initialState, ...compared, ...state })
  const response = await fetch(`${url}events`)
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    return JSON.parse(text.slice('data: '.length))
  }
  throw new Error('no event was sent')
}

/** States, each with its verdict and what is to be done. */
const rows: Readonly<
  Record<string, { state: Partial<LoopState>; verdict: string; steps?: readonly string[] }>
> = {
  'before the first run has ended': { state: { run: 0 }, verdict: 'warn Starting' },
  'without a change': {
    state: { diff: since('1.0.0', 'none', '1.0.0', []) },
    verdict: 'good Nothing changed since 1.0.0',
  },
  'before the first release': {
    state: {},
    verdict: 'good There is no release to compare with yet',
  },
  'with an error in the description, whatever else there is': {
    state: { lint: [finding], isCompared: false, gate: [low], code: [line], isCodeChecked: false },
    verdict: 'bad 1 error in spec/openapi.yaml',
    steps: ['Fix 1 error in spec/openapi.yaml.'],
  },
  'with errors in two files': {
    state: { lint: [finding, { ...finding, file: 'spec/parts.yaml' }], isCompared: false },
    verdict: 'bad 2 errors in 2 files',
    steps: ['Fix 2 errors in 2 files.'],
  },
  'with code that cannot be loaded': {
    state: { trouble: 'SyntaxError: Unexpected token at server/api/handlers.ts:7' },
    verdict: 'bad The last save does not run',
    steps: ['Fix what keeps the last save from being served. server/api/handlers.ts:7'],
  },
  'with a breaking change': {
    state: { diff: since('1.0.0', 'major', '2.0.0', [change]), gate: [low] },
    verdict: 'bad Breaking change: needs 2.0.0',
    steps: ['Write version: 2.0.0. spec/openapi.yaml:5'],
  },
  'with a removal, its version and code that no longer fits': {
    state: {
      diff: since('1.0.0', 'major', '2.0.0', [change, change, added]),
      gate: [removal, low],
      code: [line, line, { ...line, line: 9 }],
    },
    verdict: 'bad 2 breaking changes: need 2.0.0',
    steps: [
      'Put GET /a back.',
      'Write version: 2.0.0. spec/openapi.yaml:5',
      'Change 2 lines of code.',
    ],
  },
  'with compatible changes': {
    state: { diff: since('1.0.0', 'minor', '1.1.0', [added, added, reworded]), gate: [low] },
    verdict: 'warn 2 compatible changes: need 1.1.0',
    steps: ['Write version: 2.0.0. spec/openapi.yaml:5'],
  },
  'with rewordings alone': {
    state: { diff: since('1.0.0', 'patch', '1.0.1', [reworded]), gate: [low] },
    verdict: 'warn Only texts and examples changed: needs 1.0.1',
    steps: ['Write version: 2.0.0. spec/openapi.yaml:5'],
  },
  'with the version that the changes need': {
    state: { diff: since('2.0.0', 'major', '2.0.0', [change]) },
    verdict: 'good Version 2.0.0 allows for the changes since 1.0.0',
  },
  'with that version, and something else to do before a release': {
    state: { diff: since('2.0.0', 'major', '2.0.0', [change]), gate: [removal] },
    verdict: 'bad 2.0.0 cannot be released yet',
    steps: ['Put GET /a back.'],
  },
  'with that version, and code that no longer fits': {
    state: { diff: since('2.0.0', 'major', '2.0.0', [change]), code: [line] },
    verdict: 'warn 1 line of code to change',
    steps: ['Change 1 line of code.'],
  },
}

for (const [name, { state, verdict, steps = [] }] of Object.entries(rows)) {
  test(`the studio has its verdict and what to do, in order: ${name}`, async () => {
    const shown = await show(state)
    expect(`${shown.verdict.tone} ${shown.verdict.title}`).toBe(verdict)
    const listed = shown.steps.map(({ text, at }) => {
      return at === undefined ? text : `${text} ${at.file}:${at.line}`
    })
    expect(listed).toEqual(steps)
  })
}

test('a finding has the lines around it, without their common indentation, and marks what is meant', async () => {
  const at = { ...finding, file: 'tsconfig.json', line: 3, column: 15 }
  const outside = { ...finding, file: 'tsconfig.json', line: 99_999 }
  const { findings } = await show({ lint: [at, outside], isCompared: false })
  const [shown, none] = findings.errors
  expect(shown?.excerpt?.lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
  const text = shown?.excerpt?.lines[2]?.text ?? ''
  expect(text).toBe('    "target": "esnext",')
  const marks = shown?.excerpt?.marks ?? []
  expect(marks.map(({ from, to }) => text.slice(from, to))).toEqual(['"esnext"'])
  expect(none?.excerpt).toBeUndefined()
  expect([findings.breaking, findings.code]).toEqual([undefined, []])
})

test('what was found on one line is one card, in which every part that is meant is marked once', async () => {
  const at = { ...finding, file: 'tsconfig.json', line: 3 }
  const name = { ...at, column: 5 }
  const value = { ...at, column: 15 }
  const other = { ...at, line: 4 }
  const { findings, verdict } = await show({ lint: [value, other, name, value], isCompared: false })
  expect(verdict.title).toBe('4 errors in tsconfig.json')
  const cards = findings.errors.map(({ line, points }) => [line, points.length])
  expect(cards).toEqual([
    [3, 3],
    [4, 1],
  ])
  const excerpt = findings.errors[0]?.excerpt
  const text = excerpt?.lines[2]?.text ?? ''
  const marked = (excerpt?.marks ?? []).map(({ from, to }) => text.slice(from, to))
  expect(marked).toEqual(['"target"', '"esnext"'])
})

test('changes of one line are one card, which shows a value once', async () => {
  const values = { before: '"target": 1', after: '"target"' }
  const list = { before: 'enum:\n  - a\n  - b', after: 'enum:\n  - c' }
  const changes = [
    { ...change, values },
    { ...change, what: 'Other.', values },
    { ...change, values: list },
    { ...change, what: 'More.', values: list },
    { ...change, place: 'components.schemas.Other', line: 4 },
  ]
  const { findings } = await show({ diff: since('1.0.0', 'major', '2.0.0', changes) })
  const [shown, other, ...others] = findings.breaking ?? []
  expect(shown).toMatchObject({
    before: ['"target": 1'],
    excerpt: { marks: [{ from: 4, to: 12 }] },
  })
  expect([shown?.points.length, shown?.texts.length]).toEqual([4, 1])
  expect(shown?.points[0]?.meaning).toBe(`${change.consequence} Affects GET /a.`)
  expect([other?.points[0]?.place, others]).toEqual(['components.schemas.Other', []])
})

test('reworded texts of the platform are apart from those of the API, and need no version', async () => {
  const ofPlatform: Change = { ...reworded, file: 'spec/platform.yaml' }
  const unchanged = since('1.0.0', 'none', '1.0.0', [ofPlatform])
  const first = await show({ diff: unchanged })
  expect(first.verdict.title).toBe('Nothing changed for consumers since 1.0.0')
  expect([first.findings.rewordings?.length, first.findings.platform?.length]).toEqual([0, 1])

  const small: Change = { ...added, bump: 'patch' }
  const diff = since('1.0.0', 'patch', '1.0.1', [small, reworded, ofPlatform])
  const { verdict, findings } = await show({ diff, gate: [low] })
  expect(verdict.title).toBe('2 compatible changes: need 1.0.1')
  expect([findings.rewordings?.length, findings.platform?.length]).toEqual([1, 1])
})

test('a change has its value before, or both values word by word or line by line', async () => {
  const number = { ...change, values: { before: '"target": 1', after: '"target"' } }
  const removed = { before: 'enum:\n  - a\n  - b', after: 'enum:\n  - a' }
  const list = { ...change, line: 4, values: removed }
  const words = { ...reworded, values: { before: 'summary: One tool', after: 'summary: A tool' } }
  const diff = since('1.0.0', 'major', '2.0.0', [number, list, words])
  const { findings } = await show({ diff })
  const [limit, values] = findings.breaking ?? []
  expect(limit?.before).toEqual(['"target": 1'])
  expect(limit?.excerpt).toMatchObject({ marked: 3, marks: [{ from: 4, to: 12 }] })
  expect(values?.texts).toEqual([
    [
      { kind: 'same', text: 'enum:\n  - a\n' },
      { kind: 'before', text: '  - b\n' },
    ],
  ])
  const [text] = findings.rewordings ?? []
  expect(text?.excerpt).toBeUndefined()
  expect(text?.texts).toEqual([
    [
      { kind: 'same', text: 'summary: ' },
      { kind: 'before', text: 'One' },
      { kind: 'after', text: 'A' },
      { kind: 'same', text: ' tool' },
    ],
  ])
})

test('EDITOR_URL chooses the editor that locations open in', () => {
  const folder = project.replace(/\/$/, '')
  expect(editorUrl).toBe(`vscode://file${folder}/{file}:{line}:{column}`)
  const idea = 'idea://open?file={file}&line={line}&column={column}'
  expect(readEditorUrl(idea)).toBe(idea.replace('{file}', `${folder}/{file}`))
  for (const invalid of ['code', 'vscode://file', 'javascript:alert("{file}")', '{file}:{line}']) {
    expect(() => readEditorUrl(invalid), invalid).toThrow(/^EDITOR_URL is .* Allowed: a URL with/)
  }
})
