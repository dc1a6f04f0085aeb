/**
 * Compiles a pattern of a description. JSON Schema recommends the flag `u`; a pattern such as `[\w-.]` is
 * a regular expression without it alone, and many tools compile patterns without it.
 */
export function compilePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

/** Returns whether a text is a regular expression, with or without the flag `u`. */
export function isPattern(text: string): boolean {
  try {
    compilePattern(text)
    return true
  } catch {
    return false
  }
}
