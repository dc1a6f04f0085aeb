import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkflows } from '../../../scripts/workflows/workflow-file.ts'
import { startTestService } from '../../helpers/service.ts'
import { respect } from './support/respect.ts'

const file = resolve(import.meta.dirname, '../../../spec/workflows.arazzo.yaml')

/** Starts a service with two pets; returns the inputs of the workflows. */
async function startService() {
  const { baseUrl, apiKey, client, send, issue } = await startTestService()
  await client.createPet({ name: 'Ada', categoryId: 1 })
  await client.createPet({ name: 'Ben', categoryId: 1 })
  const page = await send('/v1/pets?limit=1')
  const [, cursor = ''] = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '') ?? []
  const { key: lastRequestKey } = await issue({ perMinute: 1 })
  const inputs = { apiKey, cursor, lastRequestKey, idempotencyKey: crypto.randomUUID() }
  return { baseUrl, inputs }
}

test('every workflow of spec/workflows.arazzo.yaml succeeds, and no API key is printed', async () => {
  const service = await startService()
  const { steps } = await readWorkflows(file)
  expect(Object.keys(service.inputs)).toEqual(
    expect.arrayContaining(steps.flatMap(({ inputs }) => inputs)),
  )
  const { workflows, requests, failures, written } = await respect(file, service)
  expect(failures.join('\n')).toBe('')
  expect(new Set(workflows)).toEqual(new Set(steps.map(({ name }) => name.split(' / ')[0])))
  expect(requests).toBe(steps.length)
  expect(written).not.toContain(service.inputs.apiKey)
  expect(written).not.toContain(service.inputs.lastRequestKey)
})
