import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { together } from '../drift/support/changes.ts'
import { readBase } from './support/base.ts'
import { brokenTogether } from './support/broken-keywords.ts'
import { brokenPromises } from './support/broken-promises.ts'
import { kept, toolName } from './support/kept-promises.ts'
import { lintAll, type Problem } from './support/lint-all.ts'
import { locate } from './support/spec-edit.ts'
import { createSharedFolder, project, removeFolder } from './support/workspace.ts'

// One run of the linter over a copy of the spec for each edit, and one for no edit at all.
const specs: string[] = []
let problems: ReadonlyMap<string, readonly Problem[]>

beforeAll(async () => {
  const folder = await createSharedFolder()
  const text = await readBase()
  await writeFile(join(folder, 'tool-name.yaml'), toolName)
  const edits = [
    ...[() => undefined, ...brokenPromises.map(([, edit]) => edit)],
    ...[...brokenTogether.map((group) => together(...group.edits)), kept],
  ]
  for (const [index, edit] of edits.entries()) {
    const description = parseDocument(text)
    edit(description)
    specs.push(join(folder, `${index}.yaml`))
    await writeFile(join(folder, `${index}.yaml`), description.toString({ lineWidth: 0 }))
  }
  problems = await lintAll(specs)
  return () => removeFolder(folder)
  // Some eighty descriptions are linted in one run.
}, 600_000)

test('before any edit no rule reports anything', () => {
  expect(problems.get(specs[0] ?? '')).toEqual([])
})

test('every rule of the configuration has an edit that it refuses', async () => {
  const configuration = parse(await readFile(join(project, 'redocly.yaml'), 'utf8'))
  const refusing = new Set([
    ...brokenPromises.map(([rule]) => rule),
    ...brokenTogether.map(({ rule }) => rule),
  ])
  expect(Object.keys(configuration.rules).filter((rule) => !refusing.has(rule))).toEqual([])
})

test('a schema in another file, an inlined parameter, an example in content and maxItems are no lint errors', () => {
  expect(problems.get(specs.at(-1) ?? '')).toEqual([])
})

test.for(brokenTogether.map((group, index) => ({ ...group, index })))(
  '$rule reports each edit at its line and column',
  async ({ rule, places, index }) => {
    const spec = specs[1 + brokenPromises.length + index] ?? ''
    const text = await readFile(spec, 'utf8')
    const found = (problems.get(spec) ?? []).filter((problem) => problem.rule === rule)
    const order = (one: Problem, other: Problem) => one.line - other.line || one.col - other.col
    const expected = places.map((place) => ({ rule, ...locate(text, place) }))
    expect(found.toSorted(order)).toEqual(expected.toSorted(order))
  },
)

describe('a promise broken in one place', () => {
  const rows = brokenPromises.map(([rule, , place, along], index) => ({
    rule,
    along,
    ...place,
    index: index + 1,
  }))

  test.for(rows)(
    'is told by $rule at the $mark $path',
    async ({ rule, index, along, ...place }) => {
      const spec = specs[index] ?? ''
      const found = problems.get(spec) ?? []
      const start = locate(await readFile(spec, 'utf8'), place)
      expect(found).toContainEqual({ rule, ...start })
      // Apart from what the edit leaves without a use, and examples that no longer fit, all is well.
      const others = found.map((problem) => problem.rule).filter((other) => other !== rule)
      const expected = (other: string) => /^no-(unused|invalid)-/.test(other) || along?.test(other)
      expect(others.filter((other) => !expected(other))).toEqual([])
    },
  )
})
