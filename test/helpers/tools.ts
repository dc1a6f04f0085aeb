import { tools } from './fixture-service.ts'

/** A tool, as far as a test names it. */
export interface NamedTool {
  readonly id: number
  readonly name: string
}

/** Returns functions that create and list tools of the fixture API at an origin; they retry nothing. */
export function createToolClient(origin: string, apiKey: string) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }

  async function read(response: Response, status: number) {
    const text = await response.text()
    if (response.status === status) return JSON.parse(text)
    throw new Error(`The response is ${response.status}: ${text}`)
  }
  return {
    /** Creates a tool; resolves with it as it is stored. */
    async create(name: string): Promise<NamedTool> {
      const body = JSON.stringify({ kind: 'saw', name })
      const response = await fetch(origin + tools, { method: 'POST', headers, body })
      return read(response, 201)
    },
    /** Lists the first tools, at most 50. */
    async list(): Promise<readonly NamedTool[]> {
      return read(await fetch(`${origin}${tools}?limit=50`, { headers }), 200)
    },
  }
}
