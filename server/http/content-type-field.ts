/**
 * Returns the `Content-Type` of content in a media type. A text of `text/*` is encoded by the service and gets the
 * charset; without one, browsers guess it (WHATWG Encoding). JSON and `application/xml` are UTF-8 by themselves.
 */
export function contentTypeField(mediaType: string, content: unknown): string {
  const isText = typeof content === 'string' && /^text\//i.test(mediaType)
  if (!isText || /;\s*charset\s*=/i.test(mediaType)) {
    return mediaType
  }
  return `${mediaType}; charset=utf-8`
}
