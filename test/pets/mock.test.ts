import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createAnimalStore } from '../../client/index.ts'
import { basePath } from '../../generated/operations.ts'
import { createApiKey } from '../../server/auth/api-key.ts'
import { readConfig } from '../../server/config.ts'
import { startMockService } from '../../server/mock/mock-service.ts'

test('the client works with the mock, and its iteration over pages ends', async () => {
  const config = readConfig({ PORT: '0', OPS_PORT: 'off' })
  const { origin, stop } = await startMockService(config, pino({ level: 'silent' }))
  onTestFinished(() => stop())
  const store = createAnimalStore({ baseUrl: origin + basePath, apiKey: createApiKey() })
  expect(await store.createPet({ name: 'Rex', categoryId: 7 })).toHaveProperty('id')
  const page = await store.listPets()
  expect(page.length).toBeGreaterThan(0)
  const all = []
  for await (const pet of store.listPets({}, { maxPages: 5 })) all.push(pet)
  expect(all).toEqual([...page, ...page])
})
