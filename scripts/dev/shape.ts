/**
 * What of a generated file the compiler of code has a use for: where two of them have the same, code
 * that compiled with one does with the other.
 */
export function toShape(name: string, text: string): string {
  if (name.endsWith('.ts')) return text.replaceAll(commentLines, '')
  // Of JSON that is imported the compiler knows the members and the kinds of their values.
  return name.endsWith('.json') ? JSON.stringify(JSON.parse(text), toKind) : ''
}

// Only lines that are nothing else: what looks like a comment in a line of code may be a string.
const commentLines = /^[ \t]*(?:\/\*\*|\*)(?:(?!\*\/).)*(?:\*\/)?[ \t]*\n/gm

function toKind(_: string, value: unknown): unknown {
  return typeof value === 'object' ? value : typeof value
}
