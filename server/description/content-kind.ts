import { isJsonType, withoutParameters } from './media-types.ts'

/**
 * How content of a media type is read and sent:
 *
 * - `json`: a JSON value
 * - `text`: a text, of which XML is one
 * - `form`: fields of `application/x-www-form-urlencoded`
 * - `multipart`: fields and files of `multipart/form-data`
 * - `events`: a stream of server-sent events
 * - `lines`: a stream of JSON values, one a line or one a record
 * - `bytes`: anything else
 */
export type ContentKind = 'json' | 'text' | 'form' | 'multipart' | 'events' | 'lines' | 'bytes'

const kinds: Readonly<Record<string, ContentKind>> = {
  'application/x-www-form-urlencoded': 'form',
  'multipart/form-data': 'multipart',
  'text/event-stream': 'events',
  'application/jsonl': 'lines',
  'application/jsonlines': 'lines',
  'application/x-jsonlines': 'lines',
  'application/ndjson': 'lines',
  'application/x-ndjson': 'lines',
  'application/xml': 'text',
}

/** Returns how content of a media type is read and sent; a range that is not of texts has content of bytes. */
export function kindOf(mediaType: string): ContentKind {
  if (isJsonType(mediaType)) {
    return 'json'
  }

  const type = withoutParameters(mediaType)
  const kindOfType = kinds[type]
  if (kindOfType !== undefined) {
    return kindOfType
  }
  if (isJsonSequence(type)) {
    return 'lines'
  }
  return /^text\/|\+xml$/.test(type) ? 'text' : 'bytes'
}

/** The character before each value of a JSON text sequence. */
export const recordSeparator = '\u001e'

/** Returns whether content is a JSON text sequence (RFC 7464), in which each value follows a record separator. */
export function isJsonSequence(mediaType: string): boolean {
  return /[/+]json-seq$/.test(withoutParameters(mediaType))
}

/** Returns whether content of a media type is a stream of items, each of which is validated by itself. */
export function hasItems(mediaType: string): boolean {
  return isOfItems(kindOf(mediaType))
}

/** Returns whether content of a kind is a stream of items. */
export function isOfItems(kind: ContentKind): boolean {
  return kind === 'events' || kind === 'lines'
}
