import assert from 'node:assert/strict'
import { createJudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/api/v2`, credentials: {} })
  assert.deepEqual(await api.getBerth(7), { number: 7 })
}

// @ts-expect-error
export const wrong = (api: ReturnType<typeof createJudgedApi>) => api.getBerth('7')
