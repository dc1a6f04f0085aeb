/** Reads a `Retry-After` field in either form (RFC 9110, section 10.2.3), in seconds from now. */
export function readRetryAfter(headers: Headers): number | undefined {
  const field = headers.get('retry-after')
  if (field === null) return undefined
  if (/^\d+$/.test(field)) return Number(field)
  const date = Date.parse(field)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}
