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
