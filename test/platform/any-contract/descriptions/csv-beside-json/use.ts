import assert from 'node:assert/strict'
import { createJudgedApi, type JudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  const csv: string = await api.listRows({ accept: 'text/csv' })
  assert.equal(csv, 'n\n1\n2\n')
  assert.deepEqual(await api.listRows(), [1, 2])
}

// @ts-expect-error
export const wrong = (api: JudgedApi) => api.listRows({ accept: 'text/html' })
