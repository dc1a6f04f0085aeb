import assert from 'node:assert/strict'
import { createJudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const query = { any: ['b,c', 'd'], q: 'b&c=d+e é' }
  assert.deepEqual(await api.getLabel('a/b?c', query), { name: 'a/b?c', ...query })
}
