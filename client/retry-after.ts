const weekday = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/** Reads a `Retry-After` field in either form (RFC 9110, section 10.2.3), in seconds from now. */
export function readRetryAfter(headers: Headers): number | undefined {
  const field = headers.get('retry-after') ?? ''
  if (/^\d+$/.test(field)) return Number(field)
  // Engines read a date into nearly anything.
  if (!weekday.test(field)) return undefined
  // One of the three forms that a date may have does not say that it is in GMT.
  const date = Date.parse(field.replace(/(?: GMT)?$/, ' GMT'))
  if (Number.isNaN(date)) return undefined
  return Math.max(0, Math.ceil((date - timeOf(headers)) / 1000))
}

/** When an answer was made, by the clock of the service; by ours where it does not say. */
export function timeOf(headers: Headers): number {
  return Date.parse(headers.get('date') ?? '') || Date.now()
}
