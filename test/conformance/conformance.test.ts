import { afterAll, expect, test } from 'vitest'
import description from '../../generated/openapi.json' with { type: 'json' }
import { casesOf, sharedCases } from './cases/cases.ts'
import { createAnswerCheck } from './support/answer-check.ts'
import type { Case } from './support/case.ts'
import { createContract } from './support/contract.ts'
import { printTable, readExtent } from './support/extent.ts'
import { runCases } from './support/run.ts'
import { startTarget } from './support/target.ts'

const contract = createContract(description)
const check = createAnswerCheck(description)
const extent = readExtent(process.env)
const tried = new Map<string, number>()

afterAll(() => printTable(tried, extent))

async function findFaults(cases: readonly Case[], part = extent): Promise<string[]> {
  const bench = { contract, check, target: await startTarget() }
  const { findings, counts } = await runCases(cases, bench, part)
  for (const [name, count] of counts) tried.set(name, (tried.get(name) ?? 0) + count)
  return findings.map(({ report }) => report)
}

test.for(contract.operations)(
  '$operationId takes what keeps the contract and refuses every single violation of it',
  { timeout: extent.timeout },
  async (operation) => {
    expect(await findFaults(casesOf(contract, operation))).toEqual([])
  },
)

// Each of them adds to the lists that the next one reads, so they are not added to one store.
const most = 40
const parts = Array.from({ length: Math.ceil(extent.runs / most) }, (_, part) => ({
  ...extent,
  seed: extent.seed + part,
  runs: Math.min(most, extent.runs - part * most),
}))

test.for(parts)(
  'what is added is read back as it was sent, and each path has its methods and no more',
  { timeout: extent.timeout },
  async (part) => {
    expect(await findFaults(sharedCases(contract), part)).toEqual([])
  },
)
