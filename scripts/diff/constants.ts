import { isObject } from '../pipeline/description.ts'

/**
 * Writes a constant as a list of one value where the other of two nodes has a list in its place: the
 * two say the same, or what differs is what they allow.
 */
export function alignConstants(node: unknown, other: unknown): unknown {
  if (Array.isArray(node)) {
    const others: readonly unknown[] = Array.isArray(other) ? other : []
    return node.map((item, index) => alignConstants(item, others[index]))
  }
  if (!isObject(node)) return node
  const beside = isObject(other) ? other : {}
  const isToList = 'const' in node && !('enum' in node) && Array.isArray(beside['enum'])
  const aligned = Object.entries(node).map(([key, value]) =>
    key === 'const' && isToList ? ['enum', [value]] : [key, alignConstants(value, beside[key])],
  )
  return Object.fromEntries(aligned)
}
