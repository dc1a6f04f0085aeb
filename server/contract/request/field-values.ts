import type { IncomingMessage } from 'node:http'

/**
 * The values of a header field, one for each time that it was sent. `headersDistinct` would say the
 * same and sort all fields for it, which few requests have a use for.
 */
export function fieldValues({ rawHeaders }: IncomingMessage, lowerCaseName: string): string[] {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length !== lowerCaseName.length || name.toLowerCase() !== lowerCaseName) continue
    values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
