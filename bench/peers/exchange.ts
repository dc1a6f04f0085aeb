import { basePath, type operations } from '../../generated/operations.ts'

/** What the peers answer; an operation that is added need not be written again for each of them. */
export type OperationId = Extract<keyof typeof operations, 'listPets' | 'createPet' | 'getPet'>

export type HeaderFields = Readonly<Record<string, string | number | boolean | undefined>>

/** A request while it is worked on. */
export interface Exchange {
  readonly operationId: OperationId
  /** As it was sent, without the query. */
  readonly path: string
  readonly requestId: string
  /** The header fields that its answer carries, whatever it is. */
  readonly headers: HeaderFields
  readonly callerId: string | undefined
  /** Why it goes no further. */
  readonly refusal: Error | undefined
  /** The `code` of the Error object that is answered. */
  errorCode: string | undefined
}

/** A request's values, as whoever serves it has read them. */
export interface Values {
  readonly path?: unknown
  readonly query?: unknown
  readonly headers?: unknown
  readonly body?: unknown
}

const list = `${basePath}/pets`

/** Which operation a request means. */
export function operationOf(method: string | undefined, path: string): OperationId | undefined {
  if (path === list) {
    if (method === 'GET') return 'listPets'
    return method === 'POST' ? 'createPet' : undefined
  }
  return method === 'GET' && path.startsWith(`${list}/`) ? 'getPet' : undefined
}
