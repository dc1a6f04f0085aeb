import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

test('an empty store has an empty page', async () => {
  const { client } = await startTestService()
  expect(await client.listPets()).toEqual([])
})
