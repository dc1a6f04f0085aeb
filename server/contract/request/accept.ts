// What commas and semicolons separate, except inside a quoted string.
const listEntries = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g
const parameters = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g
const noWeight = /^0(?:\.0*)?$/

/**
 * Whether an Accept header leaves room for a media type (RFC 9110, section 12.5.1): the most
 * specific range decides. Parameters other than the weight are ignored: no answer has any.
 */
export function isAccepted(mediaType: string, accept: string | undefined): boolean {
  // What most programs send.
  if (accept === undefined || accept === '*/*' || accept === mediaType) return true
  // An empty list rejects nothing; commas alone are one (RFC 9110, section 5.6.1.2).
  if (/^[\s,]*$/.test(accept)) return true
  const wanted = new Map<string, boolean>()
  for (const entry of accept.match(listEntries) ?? []) {
    const [range = '', ...rest] = (entry.match(parameters) ?? []).map((part) => part.trim())
    const name = range.toLowerCase()
    wanted.set(name, wanted.get(name) === true || !rest.some(isRuledOut))
  }
  const [type] = mediaType.split('/')
  const decisive = [mediaType, `${type}/*`, '*/*'].find((range) => wanted.has(range))
  return decisive !== undefined && wanted.get(decisive) === true
}

function isRuledOut(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=', 2)
  return name.trim().toLowerCase() === 'q' && noWeight.test(value.trim())
}
