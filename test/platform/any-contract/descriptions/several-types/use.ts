import assert from 'node:assert/strict'
import { createJudgedApi, type JudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  assert.deepEqual(await api.getPoint(7, { level: true }), { id: 7, level: true })
  const id = '6c7bb1c7-2f0b-4a47-9d0e-7c5a7f3d2b11'
  assert.deepEqual(await api.getPoint(id, { near: 'here' }), { id, near: 'here' })
}

// @ts-expect-error
export const wrong = (api: JudgedApi) => api.getPoint(true)
