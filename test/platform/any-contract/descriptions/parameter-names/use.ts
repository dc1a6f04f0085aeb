import assert from 'node:assert/strict'
import { createJudgedApi, type JudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const query = { $top: 3, 'filter[name]': 'x', 'a b': '1', class: 'y', Größe: 2 }
  assert.equal(await api.getOdd(1, 'b', 'c', query), 'a')
}

// @ts-expect-error
export const wrong = (api: JudgedApi) => api.getOdd(1, 'b', 'c', { $top: 'x' })
