import { judge, listCases, printFindings, rows } from './judge.ts'
import { Project } from './project.ts'

// Judges descriptions by their names, or all of them:
// node test/platform/any-contract/run.ts [--quick] [--keep] [NAME…]
// --quick skips `npm run check` and `npm run build`; --keep keeps the project of the last description.

const given = process.argv.slice(2)
const names = given.filter((name) => !name.startsWith('--'))
const cases = await listCases()
const unknown = names.filter((name) => !cases.some((known) => known.name === name))
if (unknown.length > 0) {
  throw new Error(`there is no description ${unknown.join(', ')}`)
}

const isQuick = given.includes('--quick')
const project = await Project.create()
const chosen = cases.filter(({ name }) => names.length === 0 || names.includes(name))
let passed = 0
for (const judged of chosen) {
  const start = performance.now()
  const findings = await judge(project, judged, { isQuick })
  const marks = Object.values(findings).map((failures) => (failures.length === 0 ? '+' : '-'))
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`${marks.join('')} ${judged.name} (${seconds} s)`)

  const lines = printFindings(findings)
  passed += lines.length === 0 ? 1 : 0
  for (const line of lines) {
    console.log(line.replaceAll(/^/gm, '    '))
  }
}
console.log(`${passed} of ${chosen.length} pass; rows: ${Object.keys(rows).join(', ')}`)

if (given.includes('--keep')) {
  console.log(`the project of the last one is ${project.folder}`)
} else {
  await project.remove()
}
