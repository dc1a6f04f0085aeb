import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { brokenPromises } from './support/broken-promises.ts'
import { lintAll, type Problem } from './support/lint-all.ts'
import { locate } from './support/spec-edit.ts'
import { createSharedFolder, project, removeFolder } from './support/workspace.ts'

// One run of the linter over a copy of the spec for each edit, and one for no edit at all.
const specs: string[] = []
let problems: ReadonlyMap<string, readonly Problem[]>

beforeAll(async () => {
  const folder = await createSharedFolder()
  const text = await readFile(join(project, 'spec/openapi.yaml'), 'utf8')
  for (const [index, [, edit]] of [['', () => {}] as const, ...brokenPromises].entries()) {
    const description = parseDocument(text)
    edit(description)
    specs.push(join(folder, `${index}.yaml`))
    await writeFile(join(folder, `${index}.yaml`), description.toString({ lineWidth: 0 }))
  }
  problems = await lintAll(specs)
  return () => removeFolder(folder)
})

test('the spec keeps every promise', () => {
  expect(problems.get(specs[0] ?? '')).toEqual([])
})

test('every rule of the configuration has an edit that it refuses', async () => {
  const configuration = parse(await readFile(join(project, 'redocly.yaml'), 'utf8'))
  const refusing = new Set(brokenPromises.map(([rule]) => rule))
  expect(Object.keys(configuration.rules).filter((rule) => !refusing.has(rule))).toEqual([])
})

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
