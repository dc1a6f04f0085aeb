import assert from 'node:assert/strict'
import { createJudgedApi, type JudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const filter = { gte: 3, tag: 'a&b=[c]', isOpen: false }
  assert.deepEqual(await api.listThings({ filter }), filter)
}

// @ts-expect-error
export const wrong = (api: JudgedApi) => api.listThings({ filter: { gte: 'a' } })
