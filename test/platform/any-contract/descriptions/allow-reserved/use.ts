import assert from 'node:assert/strict'
import { createJudgedApi } from '../client/index.ts'

export async function call(origin: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, credentials: {} })
  for (const to of ['https://a.example/b?c=d', 'a&b#c', '100%', 'a+b c']) {
    assert.equal(await api.getTarget({ to }), to)
  }
}
