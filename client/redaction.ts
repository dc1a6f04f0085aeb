const hidden = '[redacted]'

/** Takes a secret out of a text. */
export function hide(text: string, secret: string): string {
  return text.replaceAll(secret, hidden)
}

/** Takes a secret out of what was thrown, so that it is in no printed form of that. */
export function redact(cause: unknown, secret: string, depth = 5): unknown {
  try {
    if (isClean(cause, secret)) return cause
    if (!(cause instanceof Error) || depth === 0) return hidden
    // Nothing else of it is kept: who knows what that prints.
    const inner = redact(cause.cause, secret, depth - 1)
    const redacted = new Error(hide(cause.message, secret), { cause: inner })
    redacted.name = hide(cause.name, secret)
    redacted.stack = hide(`${cause.stack}`, secret)
    return redacted
  } catch {
    // It throws when it is looked at.
    return hidden
  }
}

const plain: readonly unknown[] = [Object.prototype, Array.prototype, null]

// What may be printed of a value that does not have it itself. Functions say what they like.
const inherited = ['name', 'message', 'stack', 'toJSON', Symbol.for('nodejs.util.inspect.custom')]

// Clean is what surely does not hold it: a request or a function, say, does not tell what is in it.
function isClean(value: unknown, secret: string, seen = new Set<unknown>()): boolean {
  if (typeof value === 'string' || typeof value === 'symbol') return !String(value).includes(secret)
  if (typeof value === 'function') return false
  if (typeof value !== 'object' || value === null || seen.has(value)) return true
  seen.add(value)
  if (!(value instanceof Error || plain.includes(Object.getPrototypeOf(value)))) return false
  return [...Reflect.ownKeys(value), ...inherited].every(
    (key) => isClean(key, secret) && isClean(Reflect.get(value, key), secret, seen),
  )
}
