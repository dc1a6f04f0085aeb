/** Returns the names that are reached from some names, which are among them only if they are reached, too. */
export function reachedFrom(
  names: Iterable<string>,
  next: (name: string) => Iterable<string>,
): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [...names]
  while (waiting.length > 0) {
    const nextNames = new Set(waiting.splice(0).flatMap((name) => [...next(name)]))
    for (const name of nextNames.difference(reached)) {
      reached.add(name)
      waiting.push(name)
    }
  }
  return reached
}
