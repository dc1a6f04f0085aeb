import { expect, test } from 'vitest'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { readDescription } from '../../helpers/conformance/description.ts'
import { coverageOf } from '../../helpers/coverage-reporter.ts'

const described = readDescription(description)
const everything = described.operations.flatMap(({ operationId, node, parameters }) =>
  [...Object.keys(Object(node['responses'])), ...parameters.map(({ name }) => name)].map(
    (what) => `${operationId} ${what}`,
  ),
)

test('a declared status or parameter that no test has seen is named', () => {
  expect(coverageOf(described, new Set(everything)).missing).toEqual([])
  const unseen = ['listTools 503', 'listTools heavier-than', 'deleteTool 204']
  const seen = new Set(everything.filter((what) => !unseen.includes(what)))
  const { table, missing } = coverageOf(described, seen)
  expect(missing).toEqual(expect.arrayContaining(unseen))
  expect(missing).toHaveLength(unseen.length)
  expect(table).toMatch(/^listTools .*✓.*✗$/m)
})
