import type { Combination } from './credentials.ts'
import type { ReadError } from './errors.ts'
import type { OptionRules } from './options.ts'
import type { CreateList, Pagination } from './pagination.ts'
import type { Styles, WriteParameters } from './parameters.ts'
import type { PrepareUpload, UploadContent } from './request-content.ts'
import type { AcceptedContent, CreateResult, ItemContent, ReadContent } from './response-content.ts'
import type { ReadHeaders } from './response-headers.ts'

/**
 * How an operation is called: an entry of `generated/calls.ts`. What only some operations have, such as
 * pages, is a function in their entries: an application ships it only if an operation of its API has it.
 */
export interface Operation {
  readonly method: string
  readonly path: string
  /** Whether it has query parameters. */
  readonly query?: boolean
  /** How parameters are written that are not as usual, and the function that writes them. */
  readonly parameters?: { readonly styles: Styles; readonly write: WriteParameters }
  /** The rules of options that only some operations have. */
  readonly options?: readonly OptionRules[]
  /** Whether there is a body, or its media type where that is not `application/json`. */
  readonly body?: boolean | string
  /** The content of a body that is not JSON alone, and the function that prepares it. */
  readonly upload?: UploadContent & { readonly prepare: PrepareUpload }
  /** Whether an `Idempotency-Key` makes it safe to repeat. */
  readonly idempotent?: boolean
  /** How a list leads from page to page, and the function that creates such a list. */
  readonly pages?: Pagination & { readonly createList: CreateList }
  /** Responses that are no JSON, and the function that reads the responses. */
  readonly responses?: DeclaredResponses & {
    readonly read: ReadContent
    /** The function that creates the result of a call, if that may be another than a promise of JSON, or a list. */
    readonly createResult?: CreateResult
  }
  /** How the response headers of the API's own are read, and the function that reads them. */
  readonly headers?: {
    readonly kinds: Parameters<ReadHeaders>[0]
    readonly read: ReadHeaders
  }
  /** The function that reads errors that are no Error objects. */
  readonly readError?: ReadError
  /** What to use instead of a deprecated operation. */
  readonly replacement?: string
  /**
   * Combinations of security schemes, one of which the operation requires, with the functions that send their
   * credentials. Absent where all operations take an API key as the bearer token.
   */
  readonly security?: readonly Combination[]
}

export interface DeclaredResponses {
  /** Statuses of success, other than 204, whose responses have no content; `2XX` and `default` among them. */
  readonly empty?: readonly (number | string)[]
  /** Statuses of redirects, `3XX` among them, that are results: they are not followed. */
  readonly redirects?: readonly (number | string)[]
  /** Whether some successes are JSON, beside others of bytes. */
  readonly json?: boolean
  /** How the items of a stream are read. */
  readonly items?: ItemContent | undefined
  /** The media types that a call may choose from; the first is the usual one. */
  readonly accepted?: Readonly<Record<string, AcceptedContent>>
}
