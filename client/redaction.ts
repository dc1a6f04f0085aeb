/** Takes a secret out of what is thrown, so that it cannot be printed with it. */
export function redact(cause: unknown, secret: string): unknown {
  if (!(cause instanceof Error) || !tellsOf(cause, secret)) return cause
  const clean = (text: string): string => text.replaceAll(secret, '[redacted]')
  const redacted = new Error(clean(cause.message), { cause: redact(cause.cause, secret) })
  redacted.name = cause.name
  redacted.stack = clean(cause.stack ?? '')
  return redacted
}

function tellsOf(error: Error, secret: string): boolean {
  if (`${error.message}${error.stack}`.includes(secret)) return true
  return error.cause instanceof Error && tellsOf(error.cause, secret)
}
