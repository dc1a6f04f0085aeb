import assert from 'node:assert/strict'
import { createJudgedApi, type JudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const query = { ids: [1, 2], tags: ['a', 'b,c'], 'years[]': [1999, 2001] }
  assert.deepEqual(await api.listStamps(query), query)
}

// @ts-expect-error
export const wrong = (api: JudgedApi) => api.listStamps({ ids: ['a'] })
