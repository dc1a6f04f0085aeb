import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findDescriptions, judge, listCases, printFindings } from './judge.ts'
import { createRequestMaker } from './made-requests.ts'
import { Project } from './project.ts'

// A public description is here; DESCRIPTIONS names a file or a folder with others.
const museum = join(import.meta.dirname, '../init/museum.yaml')
const others = process.env['DESCRIPTIONS']
const cases = await listCases()
const published = [
  ...(await findDescriptions(museum)),
  ...(others === undefined ? [] : await findDescriptions(others)),
]
let project: Project

beforeAll(async () => {
  project = await Project.create()
})
afterAll(() => project.remove())

test.for(cases.map((judged) => [judged.name, judged] as const))(
  'the description %s is kept, checked and served as it is written',
  { timeout: 600_000 },
  async ([, judged]) => {
    expect(printFindings(await judge(project, judged))).toEqual([])
  },
)

test.for(published.map((judged) => [judged.file, judged] as const))(
  'the operations of %s are served: valid requests succeed, invalid ones get a declared error',
  { timeout: 1_800_000 },
  async ([, judged]) => {
    const maker = createRequestMaker()
    const findings = await judge(project, judged, { judgeWithService: maker.judge })
    console.log(maker.summary().join('\n'))
    expect(printFindings(findings)).toEqual([])
  },
)
