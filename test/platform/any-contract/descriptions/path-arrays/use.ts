import assert from 'node:assert/strict'
import { createJudgedApi, type JudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  assert.deepEqual(await api.getItems(['a,b', 'c/d']), ['a,b', 'c/d'])
  assert.deepEqual(await api.getNumbers([1, 2]), [1, 2])
}

// @ts-expect-error
export const wrong = (api: JudgedApi) => api.getNumbers(['a', 'b'])
