import { expect, test } from 'vitest'
import { maxId, minId } from './support/contract.ts'
import { startAnimalStore } from './support/service.ts'

test('a pet that does not exist is 404', async () => {
  const { send, client } = await startAnimalStore()
  await client.createPet({ name: 'Rex', categoryId: 7 })
  for (const id of ['2', '0', '-1', '-0', minId, maxId]) {
    const response = await send(`/v1/pets/${id}`)
    expect(response.status, String(id)).toBe(404)
    expect(await response.json(), String(id)).toMatchObject({ code: 'not_found', status: 404 })
  }
})
