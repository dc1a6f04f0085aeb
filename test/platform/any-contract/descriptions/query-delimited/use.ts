import assert from 'node:assert/strict'
import { createJudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const query = { years: [1999, 2001], mints: ['A', 'B'], both: ['c', 'd'] }
  assert.deepEqual(await api.listCoins(query), query)
}
