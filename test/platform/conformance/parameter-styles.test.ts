import { testConformance } from '../../helpers/conformance/conformance.ts'
import { echo } from '../validation/support/echo-service.ts'
import { json } from '../validation/support/kinds-service.ts'
import { createSmallApi, type SmallOperation } from '../validation/support/small-api.ts'

const name = { type: 'string', pattern: '^[a-z]+$', maxLength: 8 }
const count = { type: 'integer', minimum: 1, maximum: 9 }
const names = { type: 'array', items: name, minItems: 1, maxItems: 3 }
const counts = { type: 'array', items: count, minItems: 1, maxItems: 3 }
const range = {
  type: 'object',
  properties: { name, count },
  required: ['count'],
  additionalProperties: false,
}
const either = { anyOf: [count, { type: 'string', format: 'uuid' }] }

const lists: readonly (readonly object[])[] = [
  [{ name: 'p', in: 'path', schema: names }],
  [{ name: 'p', in: 'path', schema: either }],
  [{ name: 'p', in: 'path', schema: count, style: 'label' }],
  [{ name: 'p', in: 'path', schema: names, style: 'matrix', explode: true }],
  [{ name: 'p', in: 'path', schema: range, explode: true }],
  [{ name: 'range', in: 'query', schema: range, style: 'deepObject' }],
  [{ name: 'range', in: 'query', schema: range }],
  [{ name: 'range', in: 'query', schema: range, explode: false }],
  [
    { name: 'a', in: 'query', schema: names, explode: false },
    { name: 'b', in: 'query', schema: counts, style: 'spaceDelimited' },
    { name: 'c', in: 'query', schema: counts, style: 'pipeDelimited', explode: false },
    { name: 'd', in: 'query', required: true, schema: either },
  ],
  [{ name: 'q', in: 'query', required: true, content: { 'application/json': { schema: range } } }],
  [
    { name: 'X-A', in: 'header', schema: counts },
    { name: 'X-B', in: 'header', schema: range },
    { name: 'c', in: 'cookie', schema: counts },
    { name: 'd', in: 'cookie', schema: names, explode: false },
  ],
]
const operations = lists.map((parameters, index): SmallOperation => {
  const path = index < 5 ? `/e${index}/{p}` : `/e${index}`
  const described = parameters.map((one) => ({ ...one, ...(index < 5 && { required: true }) }))
  const response = json({ type: 'object' })
  return { method: 'get', path, parameters: described, response, handler: echo }
})

testConformance(createSmallApi(operations, {}))
