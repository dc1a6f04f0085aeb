import { format, inspect } from 'node:util'
import { expect } from 'vitest'
import { apiKey } from './watched-store.ts'

/** Every form in which a program may print or pass on what it caught. */
function formsOf(thrown: unknown): string[] {
  const whole = { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true } as const
  const { stack, message, cause } = thrown instanceof Error ? thrown : new Error('no error')
  const causes = cause instanceof Error ? formsOf(cause) : [String(cause)]
  return [
    ...causes,
    // As `console.log` prints it.
    format(thrown),
    inspect(thrown, whole),
    inspect(structuredClone(thrown), whole),
    JSON.stringify(thrown),
    JSON.stringify({ cause }) ?? '',
    JSON.stringify(thrown, Object.getOwnPropertyNames(thrown)),
    String(thrown),
    `${stack} ${message}`,
  ]
}

const escaped = [apiKey, JSON.stringify(apiKey).slice(1, -1), inspect(apiKey).slice(1, -1)]

/** Fails when the key is in any of these forms. */
export function expectNoKeyIn(thrown: unknown): void {
  for (const form of formsOf(thrown)) {
    for (const secret of escaped) expect(form).not.toContain(secret)
  }
}
