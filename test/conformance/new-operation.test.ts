import { expect, test } from 'vitest'
import { Document } from 'yaml'
import served from '../../generated/openapi.json' with { type: 'json' }
import { kittensAdded } from '../edits/support/kittens.ts'
import type { Edit } from '../pipeline/support/spec-edit.ts'
import { casesOf } from './cases/cases.ts'
import { startEdited } from './faults/loosened-service.ts'
import { createAnswerCheck } from './support/answer-check.ts'
import { createContract } from './support/contract.ts'
import { resourcesOf } from './support/resources.ts'
import { runCases } from './support/run.ts'
import { shelterAdded } from './support/shelters.ts'

const extent = { runs: 2, seed: Date.now() % 2 ** 31, isFirstEnough: false }

function contractWith(edit: Edit) {
  const document = new Document(served)
  edit(document)
  return createContract(document.toJS())
}

test.for([
  ['operations below another one', kittensAdded, ['listKittens', 'addKitten']],
  ['every keyword and place', shelterAdded, ['putShelter']],
] as const)('%s: the run holds what is new without a new line', async ([, edit, names]) => {
  const contract = contractWith(edit)
  const target = await startEdited(edit)
  const bench = { contract, check: createAnswerCheck(contract.root), target }
  const added = contract.operations.filter(({ operationId }) =>
    names.some((name) => name === operationId),
  )
  const cases = added.flatMap((operation) => casesOf(contract, operation))
  const alone = cases.filter(({ check }) => check !== 'repeated')
  const { findings, counts } = await runCases(alone, bench, extent)
  expect(findings.map(({ report }) => report)).toEqual([])
  expect(counts.get('accepted')).toBe(extent.runs * added.length)
})

test('what is added below something is looked for where it was added', () => {
  const found = resourcesOf(contractWith(kittensAdded)).map(({ create, list }) => [
    create.operationId,
    ...list.map(({ operationId }) => operationId),
  ])
  expect(found).toContainEqual(['addKitten', 'listKittens'])
})
