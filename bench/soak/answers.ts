/** What was answered to which kind of request. */
export interface Answers {
  /** Whether somebody keeps the store from working, so that 503 is right. */
  readonly outage: (isBegun: boolean) => void
  readonly note: (kind: string, status: number | 'closed', text: string) => void
  /** What no service may answer, one line for each kind of it. */
  readonly faults: () => readonly string[]
  readonly table: () => string
}

/** Counts answers, and keeps what must not be. */
export function createAnswers(): Answers {
  const counts = new Map<string, Map<string, number>>()
  const faults = new Map<string, { count: number; readonly first: string }>()
  let isOutage = false

  function isFault(kind: string, status: number | 'closed', text: string): string | undefined {
    if (status === 'closed') return kind.startsWith('good') ? 'closed' : undefined
    if (status >= 500 && !(status === 503 && isOutage)) return String(status)
    if (status < 400) return kind.startsWith('bad') ? `${status} for what is refused` : undefined
    if (kind.startsWith('good') && !isOutage) return `${status} for what is right`
    return text === '' || isErrorObject(text) ? undefined : `${status} without the Error object`
  }

  return {
    outage(isBegun) {
      isOutage = isBegun
    },
    note(kind, status, text) {
      const row = counts.get(kind) ?? new Map<string, number>()
      counts.set(kind, row.set(String(status), (row.get(String(status)) ?? 0) + 1))
      const fault = isFault(kind, status, text)
      if (fault === undefined) return
      const known = faults.get(`${kind}: ${fault}`)
      if (known === undefined) faults.set(`${kind}: ${fault}`, { count: 1, first: text })
      else known.count++
    },
    faults: () =>
      [...faults].map(
        ([what, { count, first }]) => `${what}, ${count} times: ${first.slice(0, 200)}`,
      ),
    table: () =>
      [...counts]
        .map(([kind, row]) => {
          const statuses = [...row].sort().map(([status, count]) => `${status} × ${count}`)
          return `${kind.padEnd(34)} ${statuses.join(', ')}`
        })
        .sort()
        .join('\n'),
  }
}

function isErrorObject(text: string): boolean {
  try {
    const { code, message } = JSON.parse(text)
    return typeof code === 'string' && typeof message === 'string'
  } catch {
    return false
  }
}
