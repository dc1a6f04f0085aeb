import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type Case,
  findDescriptions,
  judge,
  listCases,
  printFindings,
  printMarks,
  rows,
} from './judge.ts'
import { createRequestMaker } from './made-requests.ts'
import { Project } from './project.ts'

// Judges descriptions by their names, those at a path, or all that are here:
// node test/platform/any-contract/run.ts [--quick] [--keep] [NAME… | PATH…]
// --quick skips `npm run check` and `npm run build`; --keep keeps the project of the last description.

const given = process.argv.slice(2)
const names = given.filter((name) => !name.startsWith('--'))
const known = await listCases()
const found = await Promise.all(names.map(findCases))
const chosen = names.length === 0 ? known : found.flat()
const isQuick = given.includes('--quick')
const project = await Project.create()
let passed = 0

for (const judged of chosen) {
  const start = performance.now()
  const maker = judged.folder === undefined ? createRequestMaker() : undefined
  const judgeWithService = maker?.judge
  const findings = await judge(project, judged, { isQuick, judgeWithService })
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`${printMarks(findings)} ${judged.name} (${seconds} s)`)

  const lines = printFindings(findings)
  passed += lines.length === 0 ? 1 : 0
  for (const line of [...(maker?.summary() ?? []), ...lines]) {
    console.log(line.replaceAll(/^/gm, '    '))
  }
}
console.log(`${passed} of ${chosen.length} pass; rows: ${Object.keys(rows).join(', ')}`)

if (given.includes('--keep')) {
  console.log(`the project of the last one is ${project.folder}`)
} else {
  await project.remove()
}

async function findCases(name: string): Promise<readonly Case[]> {
  const same = known.filter((judged) => judged.name === name)
  const isPath = (await stat(name).catch(() => undefined)) !== undefined
  if (same.length === 0 && !isPath) {
    throw new Error(`there is no description ${name}`)
  }
  return same.length > 0 ? same : findDescriptions(resolve(name))
}
