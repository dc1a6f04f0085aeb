import type { components } from '../../../generated/openapi.d.ts'

type Responses = components['responses']
type BodyOf<R> = R extends { content: infer C } ? C[keyof C] : never
type ErrorBody = { [Name in keyof Responses]: BodyOf<Responses[Name]> }[keyof Responses]
type Pair<B> = B extends { code: string; status: number }
  ? { readonly status: B['status']; readonly code: B['code'] }
  : never

/** One fault of a request: where, as a JSON Pointer led by its place, and what. */
export type Detail = components['schemas']['ErrorDetail']

/** A status and a code that the contract allows together. */
export type Refused = Pair<ErrorBody>

export interface RefusalOptions {
  readonly details?: readonly Detail[]
  readonly headers?: Readonly<Record<string, string | number>>
  readonly cause?: unknown
}

/** A request that the service turns down before or instead of its handler, with an Error object. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly details: readonly Detail[]
  readonly headers: Readonly<Record<string, string | number>>

  constructor(refused: Refused, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = refused.status
    this.code = refused.code
    this.details = options.details ?? []
    this.headers = options.headers ?? {}
  }
}
