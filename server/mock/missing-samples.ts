import { ApiError } from '../contract/errors.ts'
import type { Description, Operation, Response } from '../description/description.ts'
import { jsonTypesOf } from '../description/media-types.ts'
import { createFindSample } from './samples.ts'

/** An operation whose success has no sample, and why. */
export interface MissingSample {
  readonly operation: Operation
  readonly reason: string
}

/** Returns the operations, of some, whose success has content in JSON for which no sample is found. */
export function findMissingSamples(
  description: Description,
  operations: readonly Operation[],
): readonly MissingSample[] {
  const findSample = createFindSample(description)

  return operations.flatMap((operation) => {
    const media = contentOf(operation)
    if (media === undefined) {
      return []
    }
    try {
      findSample('body', media)
      return []
    } catch (error) {
      if (error instanceof ApiError) {
        return [{ operation, reason: error.message }]
      }
      throw error
    }
  })
}

/** Returns the content in JSON of the success that a mock sends; undefined if there is none. */
function contentOf({ responses }: Operation) {
  const successes = responses.filter(({ isSuccess }) => isSuccess)
  const success = successes.toSorted(lowerFirst).find(({ status }) => !status.startsWith('3'))
  return success?.content.find(({ name }) => jsonTypesOf([name]).length > 0)
}

function lowerFirst(one: Response, other: Response): number {
  return one.status < other.status ? -1 : 1
}
