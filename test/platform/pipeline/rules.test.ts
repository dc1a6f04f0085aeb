import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { openDescription } from '../../../scripts/pipeline/bundle.ts'
import { findProblems } from '../../../scripts/pipeline/lint.ts'
import {
  createLocator,
  type Edit,
  inlineParameter,
  rename,
  set,
  together,
} from '../../helpers/spec-edit.ts'
import { rejected } from '../spec-edits/lint-edits.ts'
import { readBase } from './support/workspace.ts'

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

const folder = await mkdtemp(join(tmpdir(), 'rules-'))
afterAll(() => rm(folder, { recursive: true }))
await writeFile(join(folder, 'tool-name.yaml'), 'type: string\nminLength: 1\nexamples: [Ryoba]\n')
const base = await readBase()

/** Lints the fixture API after some edits by the project's rules. */
async function lint(name: string, ...edits: readonly Edit[]) {
  const description = parseDocument(base)
  together(...edits)(description)
  const text = description.toString({ lineWidth: 0 })
  const spec = join(folder, `${name}.yaml`)
  await writeFile(spec, text)
  const problems = (await findProblems(await openDescription(spec), 'strict')).map((problem) => {
    const [, line, col, rule = ''] = /:(\d+):(\d+) (\S+) /.exec(problem.line) ?? []
    return { rule, line: Number(line), col: Number(col) }
  })
  return { problems, locate: createLocator(text) }
}

test('a description without an edit has no lint errors', async () => {
  expect((await lint('unedited')).problems).toEqual([])
})

test('a schema in another file, an inlined parameter, an example in content and maxItems are no lint errors', async () => {
  expect((await lint('accepted', accepted)).problems).toEqual([])
})

/** A misspelled reference, and an operation without its name, which others refer to. */
const misspelled = together(
  set('paths /tools get responses 400', { $ref: '#/components/responses/InvalidReqest' }),
  set('paths /tools get parameters 1', { $ref: '#/components/parameters/Cursr' }),
  rename('paths /tools/{toolId} get operationId', 'operationID'),
)

test('a misspelled name is reported once', async () => {
  const { problems } = await lint('misspelled', misspelled)
  const rules = problems.map(({ rule }) => rule)
  expect(rules.filter((rule) => rule !== 'no-unused-components')).toEqual([
    ...['no-unresolved-refs', 'no-unresolved-refs', 'operation-operationId', 'struct'],
  ])
})

const edited = await Promise.all(
  rejected.map(async (rows, index) => {
    const { problems, locate } = await lint(`${index}`, ...rows.map(({ edit }) => edit))
    return rows.map(({ rule, place }) => ({ rule, ...place, ...locate(place), problems }))
  }),
)

test.for(edited.flat())('$rule reports an edit at the $mark $path', (row) => {
  const { rule, line, col, problems } = row
  expect(problems).toContainEqual({ rule, line, col })
})
