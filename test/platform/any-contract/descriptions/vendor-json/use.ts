import assert from 'node:assert/strict'
import { createJudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  assert.deepEqual(await api.patchDrone(1, { name: null }), { name: 'a' })
  assert.deepEqual(await api.getDrone(1), { _links: {} })
}
