import type { CommonCallOptions, Row } from './call.ts'
import type { AnimalStoreOptions } from './options.ts'
import type { RetryOptions } from './retry.ts'
import type { TimeoutOptions } from './timeouts.ts'

/** How a call is to be made, and what is noted of it on the way. */
export interface Course {
  readonly operationId: string
  readonly apiKey: string
  /** Absent for a request that is no call of an operation. */
  readonly row: Row | undefined
  readonly retry: RetryOptions | false
  readonly timeout: TimeoutOptions
  readonly signal: AbortSignal | undefined
  /** Reads an answer to its last byte, and gives one that can still be read. */
  readonly receive: (response: Response) => Promise<Response>
  /** How often the request was sent so far. */
  attempts: number
  /** Where it is sent to. */
  url: string
}

/** Plans a call: its own options win over the client's, one by one. */
export function createCourse(
  client: AnimalStoreOptions,
  own: CommonCallOptions,
  call: Pick<Course, 'operationId' | 'row' | 'receive'>,
): Course {
  const retry = own.retry ?? client.retry ?? {}
  return {
    ...call,
    apiKey: client.apiKey,
    retry: retry && { ...(client.retry || undefined), ...retry },
    timeout: { ...client.timeout, ...own.timeout },
    signal: own.signal,
    attempts: 0,
    url: '',
  }
}
