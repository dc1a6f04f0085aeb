import { afterAll, expect, test } from 'vitest'
import description from '../../../generated/openapi.json' with { type: 'json' }
import { casesOf, sharedCases } from '../cases/cases.ts'
import { createAnswerCheck } from '../support/answer-check.ts'
import type { Case } from '../support/case.ts'
import { createContract } from '../support/contract.ts'
import { runCases } from '../support/run.ts'
import { startTarget, type Target } from '../support/target.ts'
import { changedAnswers } from './changed-answers.ts'
import { changedErrors } from './changed-errors.ts'
import { changedHeaders } from './changed-headers.ts'
import { changedStore } from './changed-store.ts'
import { startOn } from './faulty-service.ts'
import { faultyStores } from './faulty-stores.ts'
import { loosened } from './loosened.ts'
import { startEdited } from './loosened-service.ts'
import { type Meddle, startMeddler } from './meddler.ts'
import { mendedBodies } from './mended-bodies.ts'
import { mendedRequests } from './mended-requests.ts'
import type { SeededFault } from './seeded-fault.ts'

const contract = createContract(description)
const check = createAnswerCheck(description)
const operations = contract.operations.flatMap((operation) => casesOf(contract, operation))
const cases = [...operations, ...sharedCases(contract)]
// Always the same, so that a fault is always caught by the same check.
const extent = { runs: 30, seed: 1, isFirstEnough: true }

async function firstFinding(target: Target, some: readonly Case[], runs = extent.runs) {
  const bench = { contract, check, target }
  const { findings } = await runCases(some, bench, { ...extent, runs })
  return findings[0]
}

const through: Meddle = (sent, pass) => pass(sent)

// What faults are put in with is no fault, or it would be what is caught.
test.for([
  ['between the run and the service', async () => startMeddler(await startTarget(), through)],
  ['with another store', () => startOn(() => ({}))],
  ['with another description', () => startEdited(() => undefined)],
] as const)('%s: where nothing is changed, nothing is found', async ([, start]) => {
  const finding = await firstFinding(await start(), cases, 1)
  expect(finding?.report).toBeUndefined()
})

const between = [
  ...[...changedHeaders, ...changedAnswers, ...changedErrors],
  ...[...mendedRequests, ...mendedBodies, ...changedStore],
]
const rows = [
  ...toRows(between, async (meddle) => startMeddler(await startTarget(), meddle)),
  ...toRows(faultyStores, startOn),
  ...toRows(loosened, startEdited),
]

function toRows<How>(faults: readonly SeededFault<How>[], start: (how: How) => Promise<Target>) {
  return faults.map(([name, how, by, aspect]) => ({ name, by, aspect, start: () => start(how) }))
}

const caught: string[] = []

afterAll(() => {
  console.log(`seeded faults: ${rows.length}, caught: ${caught.length}`)
  if (process.env['CONFORMANCE_RUNS']) console.log(caught.join('\n'))
})

// The check that is to find a fault is alone, so that no other one does its work.
test.for(rows)('$name: caught by "$by", $aspect', async ({ name, start, by, aspect }) => {
  const alone = cases.filter(({ check }) => check === by)
  const finding = await firstFinding(await start(), alone)
  const found = finding?.faults.find((fault) => fault.aspect === aspect)
  expect(found, finding?.report ?? `${by} finds nothing`).toBeDefined()
  caught.push(`${name}  ${by}, ${aspect}: ${found?.message}`)
})
