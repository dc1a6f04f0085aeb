import { invalidRequest } from '../../contract/errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Returns the text of a body, or of a part of it, without a byte order mark; throws if it is not UTF-8. */
export function decodeText(bytes: Uint8Array, path = '/body'): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw notUtf8(path)
  }
}

/** Returns the error of a body, or of a part of it, whose text is not UTF-8. */
export function notUtf8(path = '/body') {
  return invalidRequest([{ path, message: 'must be UTF-8' }])
}
