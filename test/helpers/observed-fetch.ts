import type { Api } from '../../server/api.ts'
import { readDescription } from './conformance/description.ts'
import { createResponseCheck, type Request as Sent } from './conformance/responses.ts'

/** How many responses of a kind are checked in a test file. */
const most = 3

const known = new WeakMap<object, ReturnType<typeof describe>>()

/** Makes a `fetch` for the clients of a service; some headers may be left out by its configuration. */
export function createObservedFetch(
  { description: root }: Pick<Api, 'description'>,
  waived: readonly string[],
) {
  const { description, check, counts } = known.get(root) ?? describe(root)
  const violations: string[] = []
  const pending = new Set<Promise<void>>()

  async function judge(sent: Sent, response: Response): Promise<void> {
    const { status, headers } = response
    // A response that was cut off cannot be judged.
    const body = await response.text().catch(() => undefined)
    if (body === undefined) return
    const found = check(sent, { status, headers, body }, waived)
    violations.push(...found.map((violation) => `${sent.method} ${sent.path}: ${violation}`))
  }

  function isWanted({ method, path }: Sent, { headers }: Request, status: number): boolean {
    // A preflight is a question of browsers, not of the description (Fetch, section 3.3.3).
    if (headers.has('access-control-request-method')) return false
    const [pathname = ''] = path.split('?')
    const kind = `${description.find(method, pathname)?.operationId} ${method} ${status}`
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    return count < most
  }

  return {
    async fetch(request: Request): Promise<Response> {
      const { pathname, search } = new URL(request.url)
      const sent = { method: request.method, path: pathname + search }
      const response = await fetch(request)
      if (isWanted(sent, request, response.status)) {
        const judging = judge(sent, response.clone())
        pending.add(judging)
        void judging.finally(() => pending.delete(judging))
      }
      return response
    },
    /** Waits for the responses that are being read; returns what is wrong with them. */
    async violations(): Promise<readonly string[]> {
      await Promise.all(pending)
      return violations
    },
  }
}

function describe(root: object) {
  const description = readDescription(JSON.parse(JSON.stringify(root)))
  const check = createResponseCheck(description)
  const described = { description, check, counts: new Map<string, number>() }
  known.set(root, described)
  return described
}
