import { createAnimalStore } from '../../../client/index.ts'
import type { TestService } from '../../helpers/service.ts'
import type { WorkflowInputs } from '../../project/workflows/run-workflows.ts'

/** Adds two pets, and returns the inputs of the workflows of this API. */
export async function createInputs(service: TestService): Promise<WorkflowInputs> {
  const { baseUrl, apiKey, judgedFetch, send, issue } = service
  const client = createAnimalStore({ baseUrl, apiKey, fetch: judgedFetch })
  await client.createPet({ name: 'Ada', categoryId: 1, status: 'sold' })
  await client.createPet({ name: 'Ben', categoryId: 1, status: 'sold' })

  const page = await send('/v1/pets?limit=1')
  const [, cursor = ''] = /[?&]cursor=([^&>]+)/.exec(page.headers.get('link') ?? '') ?? []
  const { key: lastRequestKey } = await issue({ perMinute: 1 })
  return { cursor, lastRequestKey, idempotencyKey: crypto.randomUUID() }
}
