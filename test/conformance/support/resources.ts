import { type JsonObject, toObject } from '../../support/traffic/contract-index.ts'
import type { Contract } from './contract.ts'
import type { DescribedOperation, DescribedParameter } from './described.ts'

/** Operations on the same things, as far as a description shows that they belong together. */
export interface Resource {
  /** Adds one and answers with it. */
  readonly create: DescribedOperation
  /** Gives one by what it was given as its name. */
  readonly get: readonly Getter[]
  /** Gives them all, in pages. */
  readonly list: readonly DescribedOperation[]
  /** The fields that nobody sends, because the service assigns them. */
  readonly assigned: readonly string[]
}

export interface Getter {
  readonly operation: DescribedOperation
  readonly parameter: DescribedParameter
  /** The field that says what to put into the path. */
  readonly field: string
}

/**
 * Finds what belongs together: a POST to a path, GETs of that path that answer with a list of what
 * the POST answers with, and GETs of one segment more, whose parameter is what only answers have.
 */
export function resourcesOf(contract: Contract): Resource[] {
  const { operations, flatten } = contract
  return operations
    .filter(({ method, body }) => method === 'POST' && body !== undefined)
    .map((create) => {
      const made = answerOf(create)
      const gets = operations.filter(({ method }) => method === 'GET')
      const given = fieldsOf(made).filter((name) => !fieldsOf(create.body?.schema).includes(name))
      return {
        create,
        assigned: given,
        list: gets.filter(
          (one) => one.path === create.path && isSame(flatten(answerOf(one))['items'], made),
        ),
        get: gets.flatMap((operation) => {
          const name = /^\/\{([^{}]+)\}$/.exec(operation.path.slice(create.path.length))?.[1]
          const isBelow = operation.path.startsWith(`${create.path}/`)
          const parameter = operation.parameters.find((one) => one.name === name)
          const field = given.find((one) => name?.toLowerCase().endsWith(one.toLowerCase()))
          if (!isBelow || parameter === undefined || field === undefined) return []
          return isSame(answerOf(operation), made) ? [{ operation, parameter, field }] : []
        }),
      }
    })
    .filter(({ get, list }) => get.length + list.length > 0)

  function fieldsOf(schema: JsonObject[string]): string[] {
    return Object.keys(toObject(flatten(schema)['properties']))
  }

  function isSame(one: JsonObject[string], other: JsonObject[string]): boolean {
    return one !== undefined && JSON.stringify(flatten(one)) === JSON.stringify(flatten(other))
  }
}

/** The schema of what success is answered with. */
export function answerOf({ node, successes }: DescribedOperation): JsonObject[string] {
  const response = toObject(toObject(node['responses'])[String(successes[0])])
  const [media] = Object.values(toObject(response['content']))
  return toObject(media)['schema']
}
