import { ApiError } from '../contract/errors.ts'
import type { Description, Operation, Response } from '../description/description.ts'
import { chooseContent, sampleType } from './preferences.ts'
import { ContentSamples } from './sample-content.ts'
import { createFindSample, isSampled } from './samples.ts'

/** An operation whose success has no sample, and why. */
export interface MissingSample {
  readonly operation: Operation
  readonly reason: string
}

/** Returns the operations, of some, whose success has content, or a required header, for which no sample is found. */
export function findMissingSamples(
  description: Description,
  operations: readonly Operation[],
): readonly MissingSample[] {
  const findSample = createFindSample(description)
  const samples = new ContentSamples(description.documents, findSample)

  return operations.flatMap((operation) => {
    const success = successOf(operation)
    const media = success && chooseContent(success, undefined)
    const required = success?.headers.filter(isSampled) ?? []
    try {
      if (media !== undefined) {
        const mediaType = sampleType(media.name, undefined)
        samples.find({ what: 'body', media, mediaType, example: undefined })
      }
      for (const header of required) {
        findSample(`header ${header.name}`, header.content[0] ?? header)
      }
      return []
    } catch (error) {
      if (error instanceof ApiError) {
        return [{ operation, reason: error.message }]
      }
      throw error
    }
  })
}

/** Returns the success that a mock sends; undefined if there is none. */
function successOf({ responses }: Operation): Response | undefined {
  const successes = responses.filter(({ isSuccess }) => isSuccess)
  return successes.toSorted(lowerFirst).find(({ status }) => !status.startsWith('3'))
}

function lowerFirst(one: Response, other: Response): number {
  return one.status < other.status ? -1 : 1
}
