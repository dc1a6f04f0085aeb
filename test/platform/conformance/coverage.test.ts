import { expect, test } from 'vitest'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { readDescription } from '../../helpers/conformance/description.ts'
import { findUnseen } from '../../helpers/coverage-reporter.ts'

const described = readDescription(description)
const everything = described.operations.flatMap(({ operationId, node, parameters }) =>
  [...Object.keys(Object(node['responses'])), ...parameters.map(({ name }) => name)].map(
    (what) => `${operationId} ${what}`,
  ),
)

test('a declared status or parameter that no test has seen is named', () => {
  expect(findUnseen(described, new Set(everything))).toEqual([])
  const unseen = ['listTools heavier-than', 'listTools 503', 'deleteTool 204']
  const seen = new Set(everything.filter((what) => !unseen.includes(what)))
  expect(findUnseen(described, seen).toSorted()).toEqual(unseen.toSorted())
})
