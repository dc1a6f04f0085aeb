import type { Api } from '../../server/api.ts'
import { readDescription } from './conformance/description.ts'
import { createResponseCheck } from './conformance/responses.ts'

const known = new WeakMap<Api['description'], ReturnType<typeof createResponseCheck>>()

/** Returns a `fetch` for the clients of a service that judges each response; its configuration may waive headers. */
export function createObservedFetch(
  { description: root }: Pick<Api, 'description'>,
  waived: readonly string[],
) {
  const check = known.getOrInsertComputed(root, () => createResponseCheck(readDescription(root)))
  const judged: Promise<readonly string[]>[] = []

  async function judge(request: Request, response: Response): Promise<readonly string[]> {
    const { status, headers } = response
    // A response that was cut off cannot be judged.
    const body = await response.text().catch(() => undefined)
    // A preflight is a question of browsers, not of the description (Fetch, section 3.3.3).
    const isPreflight = request.headers.has('access-control-request-method')
    if (body === undefined || isPreflight) return []
    const { pathname, search } = new URL(request.url)
    const sent = { method: request.method, path: pathname + search }
    const found = check(sent, { status, headers, body }, waived)
    return found.map((violation) => `${sent.method} ${sent.path}: ${violation}`)
  }

  return {
    async fetch(request: Request): Promise<Response> {
      const response = await fetch(request)
      judged.push(judge(request, response.clone()))
      return response
    },
    /** Waits for the responses that are being read; returns what is wrong with them. */
    violations: async () => (await Promise.all(judged)).flat(),
  }
}
