/** The length from which on a secret is searched for: a shorter one, as tests use, may be any word. */
const shortestSecret = 8

/** Returns whether a text contains a secret. */
export function contains(text: string, secret: string): boolean {
  return secret.length >= shortestSecret && text.includes(secret)
}

/** Returns a JSON value with a secret replaced in every text. */
export function hideIn<Value>(value: Value, secret: string): Value {
  return JSON.parse(JSON.stringify(value), (_, inner) =>
    typeof inner === 'string' && contains(inner, secret)
      ? inner.replaceAll(secret, '[redacted]')
      : inner,
  )
}

/** What was thrown, if it surely does not hold a secret; else an error with its text, without it. */
export function redact(thrown: unknown, secret: string): unknown {
  try {
    if (isClean(thrown, secret)) return thrown
    // Nothing else is kept: who knows what that prints.
    return new Error(hideIn(String(thrown), secret))
  } catch {
    // It throws when it is looked at, or goes round in circles.
    return new Error('[redacted]')
  }
}

// What may show something else than it holds.
const shown = ['toJSON', Symbol.for('nodejs.util.inspect.custom')]
const plain: readonly unknown[] = [Object.prototype, Array.prototype]

function isClean(value: unknown, secret: string): boolean {
  const object: object = Object(value)
  if (object !== value) return !contains(String(value), secret)
  // A request or a function, say, does not tell what is in it.
  const isOpen = object instanceof Error || plain.includes(Object.getPrototypeOf(object))
  const keys = [...Reflect.ownKeys(object), ...shown]
  return (
    isOpen &&
    isClean(String(object), secret) &&
    keys.every((key) => isClean(key, secret) && isClean(Reflect.get(object, key), secret))
  )
}
