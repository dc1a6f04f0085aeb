import { shorten } from '../contract/errors.ts'

/** Characters of a line of the log. What callers send is in some of them, paths for one. */
export const longestLine = 8_192

/** Characters of each text in a line that is too long: the first that makes it short enough. */
const longestTexts = [1_000, 100]
const mostItems = 20

/** Cuts what is long in a line of the log, if that is too long; what is left is JSON. */
export function boundLine(line: string): string {
  if (line.length <= longestLine) return line
  const entry: Record<string, unknown> = JSON.parse(line)
  for (const longest of longestTexts) {
    const cut = `${JSON.stringify(entry, (_, value) => cutDown(value, longest))}\n`
    if (cut.length <= longestLine) return cut
  }
  const { level, time, requestId, msg = '' } = entry
  const rest = { level, time, requestId, msg: shorten(String(msg)), cutFrom: line.length }
  return `${JSON.stringify(rest)}\n`
}

function cutDown(value: unknown, longest: number): unknown {
  if (typeof value === 'string') return shorten(value, longest)
  return Array.isArray(value) ? value.slice(0, mostItems) : value
}
