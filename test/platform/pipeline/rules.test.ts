import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import { project } from '../../helpers/program.ts'
import { type LintEdit, rejected } from '../spec-edits/lint-edits.ts'
import {
  createLocator,
  type Edit,
  inlineParameter,
  rename,
  set,
  together,
} from './support/spec-edit.ts'
import { readBase } from './support/workspace.ts'

interface Problem {
  readonly rule: string
  readonly line: number
  readonly col: number
}
interface Linted {
  readonly locate: ReturnType<typeof createLocator>
  readonly problems: readonly Problem[]
}

/** An edit that the linter accepts; each part of it was reported once. */
const accepted = together(
  // The example is in the other file.
  set('components schemas ToolName', { $ref: 'tool-name.yaml' }),
  set('components schemas ToolFields properties name', { $ref: '#/components/schemas/ToolName' }),
  inlineParameter('Limit', 'paths /tools get parameters 0'),
  set('paths /tools get parameters 9', {
    name: 'near',
    in: 'query',
    description: 'A place.',
    content: { 'application/json': { schema: { type: 'object' }, example: {} } },
  }),
  set('components schemas Tools maxItems', 100),
  set('components headers Link schema', {
    type: ['string', 'null'],
    pattern: '^<[^>]+>(?:; [a-z]+="[^"]+")*$',
    maxLength: 1000,
  }),
)

/** A misspelled reference, and an operation without its name, which others refer to. */
const misspelled = together(
  set('paths /tools get responses 400', { $ref: '#/components/responses/InvalidReqest' }),
  set('paths /tools get parameters 1', { $ref: '#/components/parameters/Cursr' }),
  rename('paths /tools/{toolId} get operationId', 'operationID'),
)

let [unedited, withAccepted, withMisspelled, ...edited]: Linted[] = []

beforeAll(async () => {
  const edits = rejected.map((rows) => together(...rows.map(({ edit }) => edit)))
  const others = [() => undefined, accepted, misspelled]
  ;[unedited, withAccepted, withMisspelled, ...edited] = await lintEdited([...others, ...edits])
})

test('a description without an edit has no lint errors', () => {
  expect(unedited?.problems).toEqual([])
})

test('a schema in another file, an inlined parameter, an example in content and maxItems are no lint errors', () => {
  expect(withAccepted?.problems).toEqual([])
})

test('a misspelled name is reported once', () => {
  const rules = withMisspelled?.problems.map(({ rule }) => rule)
  expect(rules?.filter((rule) => rule !== 'no-unused-components')).toEqual([
    ...['no-unresolved-refs', 'no-unresolved-refs', 'operation-operationId', 'struct'],
  ])
})

test('every rule of redocly.yaml rejects an edit', async () => {
  const { rules } = parse(await readFile(join(project, 'redocly.yaml'), 'utf8'))
  const rejecting = new Set(rejected.flat().map(({ rule }) => rule))
  expect(Object.keys(rules).filter((rule) => !rejecting.has(rule))).toEqual([])
})

const rows = rejected.flatMap((document, index) =>
  document.map((row) => ({ ...row, ...row.place, index })),
)

test.for(rows)('$rule reports an edit at the $mark $path', ({ rule, place, index }) => {
  const { problems, locate } = edited[index] ?? {}
  expect(problems).toContainEqual({ rule, ...locate?.(place) })
})

test.for(rejected.entries().toArray())(
  'description %i has no other lint errors',
  ([index, rows]) => {
    const { problems = [], locate } = edited[index] ?? {}
    const expected = rows.map(({ rule, place }) => ({ rule, ...locate?.(place) }))
    const others = problems.filter(
      (problem) => !expected.some((each) => isDeepStrictEqual(each, problem)),
    )
    expect(others.filter(({ rule }) => !isExpectedBeside(rule, rows))).toEqual([])
  },
)

// Edits leave components without a use, and examples that are no longer valid.
function isExpectedBeside(rule: string, rows: readonly LintEdit[]): boolean {
  return /^no-(unused|invalid)-/.test(rule) || rows.some(({ others }) => others?.test(rule))
}

/** Lints the fixture API after each edit by the project's rules. */
async function lintEdited(edits: readonly Edit[]): Promise<Linted[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rules-'))
  await writeFile(join(folder, 'tool-name.yaml'), 'type: string\nminLength: 1\nexamples: [Ryoba]\n')
  const base = await readBase()
  const linted = edits.entries().map(async ([index, edit]) => {
    const description = parseDocument(base)
    edit(description)
    const text = description.toString({ lineWidth: 0 })
    const spec = join(folder, `${index}.yaml`)
    await writeFile(spec, text)
    const problems = await findProblems(await openDescription(spec), 'strict')
    return { locate: createLocator(text), problems: problems.map(({ line }) => toProblem(line)) }
  })
  return Promise.all(linted).finally(() => rm(folder, { recursive: true }))
}

function toProblem(error: string): Problem {
  const [, line, col, rule = ''] = /:(\d+):(\d+) (\S+) /.exec(error) ?? []
  return { rule, line: Number(line), col: Number(col) }
}
