import assert from 'node:assert/strict'
import { createJudgedApi, type JudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const where = { field: 'a&b', values: [1] }
  assert.deepEqual(await api.listResults({ where }), { where })
}

// @ts-expect-error
export const wrong = (api: JudgedApi) => api.listResults({ where: '{}' })
