/** Reads a `Retry-After` field in either form (RFC 9110, section 10.2.3), in seconds from now. */
export function readRetryAfter(headers: Headers): number | undefined {
  const field = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(field)) return Number(field)
  const date = toTime(field)
  if (Number.isNaN(date)) return undefined
  return Math.max(0, Math.ceil((date - timeOf(headers)) / 1000))
}

/** When an answer was made, by the clock of the service; by ours where it does not say. */
export function timeOf(headers: Headers): number {
  return toTime(headers.get('date') ?? '') || Date.now()
}

function toTime(field: string): number {
  // Engines read a date into nearly anything: the three forms begin with a day and have a time.
  // One of them does not say that it is in GMT.
  return /^[A-Z].*:/.test(field) ? Date.parse(field.replace(/(?: GMT)?$/, ' GMT')) : Number.NaN
}
