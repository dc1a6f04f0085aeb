/** A request target in its parts, as sent: nothing is decoded, nothing is normalised. */
export interface Target {
  readonly path: string
  readonly rawQuery: string
}

const absoluteForm = /^https?:\/\/[^/?#]*/i

/** Splits a request target in origin form or absolute form (RFC 9112, section 3.2). */
export function splitTarget(target: string): Target {
  const origin = target.replace(absoluteForm, '')
  const at = origin.indexOf('?')
  if (at === -1) return { path: origin || '/', rawQuery: '' }
  return { path: origin.slice(0, at) || '/', rawQuery: origin.slice(at + 1) }
}
