/** Reads all that a part of a description reads later, so that each error in it is thrown. */
export function readAll(part: unknown): void {
  const passed = new Set<unknown>()
  const next = [part]
  while (next.length > 0) {
    const each = next.pop()
    if (passed.has(each)) {
      continue
    }
    passed.add(each)
    if (typeof each === 'function') {
      next.push(each())
    } else if (each instanceof Map || each instanceof Set) {
      next.push(...each.values())
    } else if (typeof each === 'object' && each !== null) {
      next.push(...Object.values(each))
    }
  }
}
