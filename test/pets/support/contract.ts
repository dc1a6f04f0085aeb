import type { components } from '../../../generated/openapi.d.ts'
import contract from '../../../generated/openapi.json' with { type: 'json' }
import { basePath, operations } from '../../../generated/operations.ts'

const { parameters, schemas } = contract.components

// The limits of the contract: an edit of the spec breaks no test.
export const { maxLength: longestName } = schemas.PetFields.properties.name
export const {
  minimum: leastLimit,
  maximum: mostLimit,
  default: usualLimit,
} = parameters.Limit.schema
export const { minimum: leastId, maximum: mostId } = schemas.Id
export const petStatuses = schemas.PetStatus.enum as components['schemas']['PetStatus'][]

/** A valid request for each operation of the contract, made of its examples. */
export const validRequests = Object.values(operations).map(({ operationId, method, path }) => {
  const operation = at(contract, 'paths', path, method)
  const query = new URLSearchParams()
  let target: string = path
  for (const index of Object.keys(at(operation, 'parameters') ?? [])) {
    const name = String(at(operation, 'parameters', index, 'name'))
    const example = String(at(operation, 'parameters', index, 'example'))
    target = target.replace(`{${name}}`, encodeURIComponent(example))
    const isQuery = at(operation, 'parameters', index, 'in') === 'query'
    if (isQuery && at(operation, 'parameters', index, 'required')) query.set(name, example)
  }
  const examples = at(operation, 'requestBody', 'content', 'application/json', 'examples') ?? {}
  const [example] = Object.keys(examples)
  const body = example === undefined ? undefined : JSON.stringify(at(examples, example, 'value'))
  return { operationId, method: method.toUpperCase(), path: `${basePath}${target}?${query}`, body }
})

/** Returns what an object of the contract has below some keys, with references resolved. */
function at(object: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((found, key) => {
    const member = Object(found)[key]
    const reference: unknown = Object(member).$ref
    return typeof reference === 'string'
      ? at(contract, ...reference.replace('#/', '').split('/'))
      : member
  }, object)
}
