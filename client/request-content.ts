import type { CallOptions, Rules } from './options.ts'

/** The body of a request that is not JSON, which is added to each attempt. */
export interface Upload {
  readonly init: { readonly body: Content; readonly duplex: 'half' }
  readonly type: string | undefined
  readonly isOnce: boolean
}

/** What can be sent. */
export type Content = NonNullable<RequestInit['body']>

/** A body as it is sent. */
export interface WrittenBody {
  readonly body: Content
  /** Its media type; undefined if that is found when it is sent, as the boundary of parts is. */
  readonly type: string | undefined
  /** Whether it can be sent once, as a stream. */
  readonly isOnce?: boolean
}

/** How a field of a form is sent. */
export interface FieldContent {
  /** What a part holds, if it is not a text. */
  readonly content?: 'file' | 'json'
  /** The media type of a part. */
  readonly type?: string
  /** Whether each item of a list is a part by itself. */
  readonly list?: boolean
}

/** Content of a body, and the function that writes it. */
interface WrittenContent {
  readonly write: WriteContent
  /** The fields of `multipart/form-data` that are no texts. */
  readonly fields?: Readonly<Record<string, FieldContent>>
  /** The styles of the fields of a form that are not as usual. */
  readonly styles?: Readonly<Record<string, string>>
}

/** Writes a body in a media type; throws a `TypeError` for what it cannot be. */
export type WriteContent = (body: unknown, type: string, content: WrittenContent) => WrittenBody

/** The content that a body may have, by its media types; the first is the usual one. */
export interface UploadContent {
  readonly contents: Readonly<Record<string, WrittenContent>>
}

/** Prepares the body of a call; undefined if there is none. */
export type PrepareUpload = (
  upload: UploadContent,
  body: unknown,
  options: CallOptions & UploadOptions,
) => Upload | undefined

/** The options of a call whose body may have several media types. */
export interface UploadOptions<Type = string> {
  /** The media type of the body; that of a `Blob`, or else the first of the contract, by default. */
  readonly contentType?: Type | undefined
}

/** The rules of these options. */
export const uploadRules: Rules<UploadOptions> = {
  contentType: ['a string', (value) => typeof value === 'string'],
}
