/** Decodes percent-encoded UTF-8; returns undefined if it is malformed. */
export function decode(text: string): string | undefined {
  if (!text.includes('%')) {
    return text
  }
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Encodes the characters of a path that no URI has (RFC 3986); others stay as they are. */
export function encodePath(path: string): string {
  return path.replaceAll(/[^!-~]+|["<>\\^`{|}]/g, encodeURIComponent)
}
