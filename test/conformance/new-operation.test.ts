import { expect, test } from 'vitest'
import { Document } from 'yaml'
import served from '../../generated/openapi.json' with { type: 'json' }
import { kittensAdded } from '../edits/support/kittens.ts'
import type { Edit } from '../pipeline/support/spec-edit.ts'
import { casesOf } from './cases/cases.ts'
import { startEdited } from './faults/loosened-service.ts'
import { createAnswerCheck } from './support/answer-check.ts'
import { createContract } from './support/contract.ts'
import { readExtent } from './support/extent.ts'
import { resourcesOf } from './support/resources.ts'
import { runCases } from './support/run.ts'
import { shelterAdded } from './support/shelters.ts'

const { runs, ...usual } = readExtent(process.env)
const extent = { ...usual, runs: Math.ceil(runs / 3) }

function contractWith(edit: Edit) {
  const document = new Document(served)
  edit(document)
  return createContract(document.toJS())
}

const keywords = [
  ...['const', 'enum', 'format', 'maxItems', 'maxLength', 'maxProperties', 'maximum'],
  ...['exclusiveMaximum', 'exclusiveMinimum', 'minItems', 'minLength', 'minProperties'],
  ...['minimum', 'multipleOf', 'pattern', 'required', 'type', 'uniqueItems', 'unknown field'],
]

const additions = [
  {
    what: 'operations below another one',
    edit: kittensAdded,
    names: ['listKittens', 'addKitten'],
    checks: ['path: minimum', 'header: missing', 'header: repeated', 'body: too large'],
  },
  {
    what: 'every keyword, in every place',
    edit: shelterAdded,
    names: ['putShelter'],
    checks: [
      ...keywords.map((keyword) => `body: ${keyword}`),
      ...['path: minLength', 'query: missing', 'query: type', 'query: maxItems', 'header: missing'],
      ...['header: minimum', 'cookie: minimum', 'cookie: type', 'accepted: no body'],
    ],
  },
]

test.for(additions)(
  '$what: the run holds what is new without a new line',
  { timeout: extent.timeout },
  async ({ edit, names, checks }) => {
    const contract = contractWith(edit)
    const target = await startEdited(edit)
    const bench = { contract, check: createAnswerCheck(contract.root), target }
    const added = contract.operations.filter(({ operationId }) => names.includes(operationId))
    const cases = added.flatMap((operation) => casesOf(contract, operation))
    // Samples are answered here, and nothing is kept that could be repeated.
    const alone = cases.filter(({ check }) => check !== 'repeated')
    const { findings, counts } = await runCases(alone, bench, extent)
    expect(findings.map(({ report }) => report)).toEqual([])
    expect(counts.get('accepted')).toBe(extent.runs * added.length)
    expect([...counts.keys()]).toEqual(expect.arrayContaining(checks))
  },
)

test('what is added below something is looked for where it was added', () => {
  const found = resourcesOf(contractWith(kittensAdded)).map(({ create, list }) => [
    create.operationId,
    ...list.map(({ operationId }) => operationId),
  ])
  expect(found).toContainEqual(['addKitten', 'listKittens'])
})
