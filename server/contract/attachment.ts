import { create } from 'content-disposition'

/**
 * Returns the `Content-Disposition` (RFC 6266) of a response that browsers save as a file. The name may have any
 * characters: header fields have those of Latin-1 alone, and others are sent as `filename*` (RFC 8187).
 *
 * @example attachment('é.png') // attachment; filename="?.png"; filename*=UTF-8''%C3%A9.png
 */
export function attachment(fileName: string): string {
  const printable = fileName.toWellFormed().replaceAll(/\p{Cc}/gu, '')
  return create(printable)
}
