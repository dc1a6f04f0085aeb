import assert from 'node:assert/strict'
import { createJudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const headers = { 'X-Ids': [1, 2], 'X-Range': { from: 1, to: 9 }, 'X-Level': 2 } as const
  const sent = { ...headers, 'X-Ids': [...headers['X-Ids']] }
  const echo = await api.listProbes({ headers: sent })
  assert.deepEqual(echo, { ids: [1, 2], range: { from: 1, to: 9 }, level: 2 })
}
