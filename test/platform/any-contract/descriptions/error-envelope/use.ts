import assert from 'node:assert/strict'
import { createJudgedApi } from '../client/index.ts'
import type { components } from '../generated/openapi.d.ts'

export const failure: components['schemas']['Failure'] = { error: { code: 'a', message: 'b' } }

export async function call(origin: string, apiKey: string): Promise<void> {
  const api = createJudgedApi({ baseUrl: `${origin}/v1`, apiKey })
  await assert.rejects(
    api.getDelivery(0),
    (error: Error & { status?: unknown }) => error.status === 400,
  )
}
