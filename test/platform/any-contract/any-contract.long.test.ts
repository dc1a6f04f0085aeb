import { afterAll, beforeAll, expect, test } from 'vitest'
import { judge, listCases, printFindings } from './judge.ts'
import { Project } from './project.ts'

const cases = await listCases()
let project: Project

beforeAll(async () => {
  project = await Project.create()
})
afterAll(() => project.remove())

test.for(cases.map((judged) => [judged.name, judged] as const))(
  'init and the service keep every word of the description %s',
  { timeout: 600_000 },
  async ([, judged]) => {
    expect(printFindings(await judge(project, judged))).toEqual([])
  },
)
