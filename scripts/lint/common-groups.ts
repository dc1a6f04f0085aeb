import { toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { toChild } from '../../server/description/pointer.ts'
import { type CalledOperation, type Follow, hasIdempotencyKey } from './called-operations.ts'
import type { DescriptionFile } from './platform-file.ts'

/** The extension of the root object that declares what every operation has in common. */
export const commonKey = 'x-common'

/** The groups of `x-common` with responses. */
export const responseGroups = [
  'responses',
  'requestBodyResponses',
  'idempotencyKeyResponses',
] as const
type ResponseGroup = (typeof responseGroups)[number]

/** The groups of `x-common` with headers that only some responses have. */
export type HeaderGroup =
  | 'deprecationHeaders'
  | 'idempotencyKeyHeaders'
  | 'forbiddenHeaders'
  | `errorHeaders/${string}`

/** A group of `x-common`; `headers` has those of every response. */
export type Group = ResponseGroup | HeaderGroup | 'headers'

/** The groups of `x-common` that concern an operation, those of headers by the kind of its responses. */
interface ConcerningGroups {
  readonly responses: readonly ResponseGroup[]
  readonly headersOfSuccess: readonly HeaderGroup[]
  readonly headersOfErrors: readonly HeaderGroup[]
  /** Whether the operation takes an idempotency key. */
  readonly hasKey: boolean
}

/** Returns the groups of `x-common` that concern an operation. */
export function groupsOf(called: CalledOperation, follow: Follow): ConcerningGroups {
  const { operation } = called
  const hasBody = operation['requestBody'] !== undefined
  const hasKey = hasIdempotencyKey(called, follow)
  const isDeprecated = operation['deprecated'] === true

  const responses: ResponseGroup[] = ['responses']
  if (hasBody) {
    responses.push('requestBodyResponses')
  }
  if (hasKey) {
    responses.push('idempotencyKeyResponses')
  }

  const headersOfErrors: HeaderGroup[] = isDeprecated ? ['deprecationHeaders'] : []
  const headersOfSuccess: HeaderGroup[] = hasKey
    ? [...headersOfErrors, 'idempotencyKeyHeaders']
    : headersOfErrors
  return { responses, headersOfSuccess, headersOfErrors, hasKey }
}

/** The statuses of errors for which the service sends headers. */
const statusesWithHeaders = ['401', '405', '409', '415', '429', '503']

/**
 * Returns the groups of headers of an error response, by its status, its range, or all where it is `default`; the
 * response 409 has some if its operation takes an idempotency key.
 */
export function errorHeadersOf(status: string, hasKey: boolean): readonly HeaderGroup[] {
  const isConcerned = (errorStatus: string) => {
    const range = `${errorStatus.charAt(0)}xx`
    return status === 'default' || status === errorStatus || status.toLowerCase() === range
  }
  const hasHeaders = (errorStatus: string) => errorStatus !== '409' || hasKey
  return statusesWithHeaders
    .filter((errorStatus) => isConcerned(errorStatus) && hasHeaders(errorStatus))
    .map((errorStatus) => `errorHeaders/${errorStatus}` as const)
}

/** Returns the entries that some files have in groups of their `x-common`; those of a later file or group win. */
export function readCommon(
  files: readonly DescriptionFile[],
  groups: readonly Group[],
): ReadonlyMap<string, Located> {
  const entries = files.flatMap((file) => groups.flatMap((group) => entriesIn(file, group)))
  return new Map(entries)
}

/** Returns the entries of a group of the `x-common` that a file has, with their locations. */
function entriesIn({ file, root }: DescriptionFile, group: Group): (readonly [string, Located])[] {
  const keys = group.split('/')
  const entries = keys.reduce((parent, key) => toObject(parent[key]), toObject(root[commonKey]))
  return Object.entries(entries).map(([key, value]) => {
    const pointer = toChild(`#/${commonKey}/${group}`, key)
    return [key, { value, file, pointer }] as const
  })
}
