import type { Json } from '../../support/traffic/contract-index.ts'
import { toObject } from '../../support/traffic/contract-index.ts'
import type { Contract } from './contract.ts'
import type { DescribedOperation, DescribedParameter } from './described.ts'
import { answerOf } from './resources.ts'
import { listOf } from './schema.ts'

/** A parameter of a list that leaves out what has another value. */
export interface Filter {
  readonly parameter: DescribedParameter
  readonly values: readonly Json[]
}

/** Finds the parameters that are called and described as fields of what is listed, by their enums. */
export function filtersOf({ flatten }: Contract, operation: DescribedOperation): Filter[] {
  const item = flatten(flatten(answerOf(operation))['items'])
  return operation.parameters
    .filter(({ in: place }) => place === 'query')
    .map((parameter) => ({ parameter, flat: flatten(parameter.schema) }))
    .filter(({ parameter, flat }) => {
      const field = flatten(toObject(item['properties'])[parameter.name])
      return flat['enum'] !== undefined && JSON.stringify(field) === JSON.stringify(flat)
    })
    .map(({ parameter, flat }) => ({ parameter, values: listOf(flat['enum']) }))
}
