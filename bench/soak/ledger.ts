/** The animals that a service said it keeps. */
export interface Ledger {
  readonly add: (id: number, name: string) => void
  readonly size: () => number
  /** The id of some animal, if there is any. */
  readonly any: (random: number) => number | undefined
  /** The names of animals that are not there as they were acknowledged. */
  readonly missing: () => Promise<readonly string[]>
}

/** Notes what is acknowledged, and holds the whole list against it. */
export function createLedger(apiKey: string, baseUrl: string): Ledger {
  const names = new Map<number, string>()
  const ids: number[] = []
  return {
    add(id, name) {
      if (!names.has(id)) ids.push(id)
      names.set(id, name)
    },
    size: () => names.size,
    any: (random) => ids[Math.floor(random * ids.length)],
    async missing() {
      const left = new Map(names)
      let next: string | undefined = `${baseUrl}/pets?limit=100`
      while (next !== undefined) {
        const response: Response = await fetch(next, {
          headers: { Authorization: `Bearer ${apiKey}` },
        })
        const page: { id: number; name: string }[] = await response.json()
        for (const { id, name } of page) if (left.get(id) === name) left.delete(id)
        const [, link] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
        next = link === undefined ? undefined : new URL(link, baseUrl).href
      }
      return [...left.values()]
    },
  }
}
