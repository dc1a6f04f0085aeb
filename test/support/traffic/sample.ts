import { createContractIndex } from './contract-index.ts'

const most = 3

/** Says of which exchanges there are enough: the first few of each kind are kept. */
export function createSample() {
  const index = createContractIndex()
  const counts = new Map<string, number>()

  return {
    /** Kinds differ in operation, method, status and in which of its parameters are sent. */
    wants(method: string, url: string, headers: Headers, status: number): boolean {
      const { pathname, searchParams } = new URL(url)
      const described = index.find(method, pathname)
      if (described === undefined || isPreflight(method, headers)) return false
      const sent = described.parameters
        .filter(({ name, in: where }) => (where === 'query' ? searchParams : headers).has(name))
        .map(({ name }) => name)
      const kind = JSON.stringify([described.name, method, status, sent])
      const count = counts.get(kind) ?? 0
      counts.set(kind, count + 1)
      return count < most
    },
  }
}

// It is the browser's question, not the contract's (Fetch, section 3.3.3).
function isPreflight(method: string, headers: Headers): boolean {
  return method === 'OPTIONS' && headers.has('access-control-request-method')
}
