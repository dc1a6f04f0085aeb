import assert from 'node:assert/strict'
import { createJudgedApi, type JudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const lamps = { size: { width: 3, height: 4 }, q: 'a' }
  assert.deepEqual(await api.listLamps(lamps), lamps)
  const compact = { size: { width: 3, label: 'a,b' } }
  assert.deepEqual(await api.listCompact(compact), compact)
}

// @ts-expect-error
export const wrong = (api: JudgedApi) => api.listLamps({ size: { height: 3 } })
