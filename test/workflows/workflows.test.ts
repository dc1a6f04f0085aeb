import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkflows } from '../../scripts/workflows/workflow-file.ts'
import { startTestService } from '../support/service.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'
import { respect } from './support/respect.ts'

const spec = resolve(import.meta.dirname, '../../spec')
const file = join(spec, 'workflows.arazzo.yaml')

/** A service with what the workflows need to find there, and what they are to be handed. */
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

test('every workflow that is described works, and no key is written anywhere', async () => {
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

test.for([
  [
    'body#/name == "Rex"',
    'body#/name == "Max"',
    /^add-an-animal \/ add: .*== "Max"\n.*\n.*201.*Rex/m,
  ],
  [
    'statusCode == 422',
    'statusCode == 409',
    /^retry-a-create \/ another-animal: .*409\n.*\n.*422/m,
  ],
  [
    'header.Idempotent-Replayed == "true"',
    'header.Idempotent-Replayed == "no"',
    /^retry-a-create \/ again: (?:.|\n)*"idempotent-replayed":"true"/m,
  ],
] as const)(
  'a step that expects something else (%s) is named, with what was answered',
  async ([find, other, failure]) => {
    const folder = createTemporaryFolder()
    const text = await readFile(file, 'utf8')
    expect(text).toContain(find)
    const changed = text
      .replace(find, () => other)
      .replace('url: openapi.yaml', () => `url: ${spec}/openapi.yaml`)
    await writeFile(join(folder, 'changed.arazzo.yaml'), changed)
    const { failures } = await respect(join(folder, 'changed.arazzo.yaml'), await startService())
    expect(failures).toEqual([expect.stringMatching(failure)])
  },
)
