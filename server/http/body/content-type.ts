import type { IncomingMessage } from 'node:http'
import { parse } from 'content-type'
import { ApiError, invalidRequest } from '../../contract/errors.ts'
import type { RequestBody } from '../../contract/operation.ts'
import { type ContentKind, kindOf } from '../../description/content-kind.ts'
import {
  findMediaType,
  isJsonType,
  json,
  withoutParameters,
} from '../../description/media-types.ts'

/** The media type of a body. */
export interface ContentType {
  /** As the description declares it, or as it was sent for a range. */
  readonly mediaType: string
  /** How content of it is read. */
  readonly kind: ContentKind
}

/** The media types that an operation declares for its body. */
type DeclaredTypes = Pick<RequestBody, 'mediaTypes' | 'jsonRanges'>

/** Returns the media type of a body; throws if the operation does not accept it. */
export function contentTypeOf(
  { mediaTypes, jsonRanges = [] }: DeclaredTypes,
  request: IncomingMessage,
): ContentType {
  const sentType = sentTypeOf(request)
  const declared = findMediaType(mediaTypes, sentType)
  if (declared === undefined) {
    throw unsupportedMediaType({ mediaTypes, jsonRanges })
  }
  if (!declared.includes('*')) {
    return { mediaType: declared, kind: kindOf(declared) }
  }

  const mediaType = withoutParameters(sentType)
  if (!jsonRanges.includes(declared)) {
    return { mediaType, kind: kindOf(declared) }
  }
  if (!isJsonType(mediaType)) {
    throw unsupportedMediaType({ mediaTypes, jsonRanges })
  }
  return { mediaType, kind: 'json' }
}

/** Returns the `Content-Type` header of a request, which is empty without one; throws if there are several. */
export function sentTypeOf(request: IncomingMessage): string {
  // node:http keeps the first of several and drops the others.
  const [contentType = '', ...otherValues] = request.headersDistinct['content-type'] ?? []
  if (otherValues.some((value) => value !== contentType)) {
    throw invalidRequest([{ path: '/headers/content-type', message: 'must be given once' }])
  }
  return contentType
}

/** Throws if the text of a body is not in UTF-8, by the `charset` of its media type. */
export function assertUtf8(
  { mediaTypes }: Pick<RequestBody, 'mediaTypes'>,
  request: IncomingMessage,
): void {
  const { charset } = parse(sentTypeOf(request)).parameters
  if (!isUtf8(charset)) {
    throw unsupportedCharset(mediaTypes)
  }
}

/** Returns whether a text of a charset is read as UTF-8, of which US-ASCII is a part. */
export function isUtf8(charset = 'utf-8'): boolean {
  return /^(?:utf-?8|us-ascii|ascii)$/i.test(charset)
}

/** Returns the boundary of the parts of a body; throws if its media type has none. */
export function boundaryOf(request: IncomingMessage): string {
  const { boundary = '' } = parse(sentTypeOf(request)).parameters
  // RFC 2046, section 5.1.1: at most 70 characters.
  if (boundary === '' || boundary.length > 70) {
    throw invalidRequest([
      { path: '/headers/content-type', message: 'must have a boundary of 1 to 70 characters' },
    ])
  }
  return boundary
}

/** Returns the error of a body of a media type that the operation does not accept. */
export function unsupportedMediaType({ mediaTypes, jsonRanges = [] }: DeclaredTypes): ApiError {
  const read = mediaTypes.flatMap((type) => (jsonRanges.includes(type) ? allJson : [type]))
  const message = `The body must be ${read.join(' or ')}.`
  return unsupported(message, { Accept: read.join(', ') })
}

/** The media types of JSON, as the `Accept` of a response names them. */
const allJson = [json, 'application/*+json']

/** Returns the error of a body whose text is in a charset that the service does not read. */
export function unsupportedCharset(mediaTypes: readonly string[]): ApiError {
  return unsupported('The charset of the body must be utf-8.', { Accept: mediaTypes.join(', ') })
}

/** Returns an error of a body that the service does not read, with the header that says what it reads. */
export function unsupported(message: string, headers: Readonly<Record<string, string>>): ApiError {
  return new ApiError({ status: 415, code: 'unsupported_media_type' }, message, { headers })
}
