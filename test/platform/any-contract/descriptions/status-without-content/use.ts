import assert from 'node:assert/strict'
import { createJudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  assert.equal(await api.setSwitch(1), undefined)
  assert.equal(await api.startSwitch(1), undefined)
  assert.equal(await api.resetSwitch(1), undefined)
}
