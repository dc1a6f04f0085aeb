import { setTimeout as wait } from 'node:timers/promises'
import type { TestDatabase } from './databases/test-database.ts'
import { tools } from './fixture-service.ts'

/** A tool, as far as a test names it. */
export interface NamedTool {
  readonly id: number
  readonly name: string
}

/** Returns functions that create and list tools of the fixture API at an origin; they retry nothing. */
export function createToolClient(origin: string, apiKey: string) {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }

  async function read<Body>(response: Response, status: number): Promise<Body> {
    const text = await response.text()
    if (response.status === status) {
      return JSON.parse(text)
    }
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

/** Adds tools to a store with SQL; `name` is an expression in which `n` is the number of the tool. */
export async function fillTools(
  { execute }: Pick<TestDatabase, 'execute'>,
  count: number,
  name = "'tool ' || n",
): Promise<void> {
  await execute(`INSERT INTO tools (document)
    WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < ${count})
    SELECT '{"kind":"saw","name":"' || ${name} || '"}' FROM s`)
}

/** Returns every tool of a store as it is stored, in the order of ids. */
export async function storedTools({ execute }: Pick<TestDatabase, 'execute'>) {
  const rows = await execute('SELECT id, document FROM tools ORDER BY id')
  return rows.map(({ id, document }) => ({ id: Number(id), document: String(document) }))
}

/** Waits until a store has a tool. */
export async function waitForTool({ execute }: Pick<TestDatabase, 'execute'>): Promise<void> {
  while ((await execute('SELECT id FROM tools LIMIT 1')).length === 0) {
    await wait(1)
  }
}
