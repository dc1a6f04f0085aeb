import { expect, test } from 'vitest'
import { maxId, minId, petStatuses } from './support/contract.ts'
import { startAnimalStore } from './support/service.ts'

test('the response has the next id and every field of the request, and no other', async () => {
  const { client } = await startAnimalStore()
  const sent = [
    ...petStatuses.map((status) => ({ name: 'Rex', categoryId: 7, status })),
    ...[minId, -1, 0, maxId].map((categoryId) => ({ name: 'Mia', categoryId })),
  ]
  for (const [index, pet] of sent.entries()) {
    const id = index + 1
    expect(await client.createPet(pet)).toEqual({ id, ...pet })
    expect(await client.getPet(id)).toEqual({ id, ...pet })
  }
  expect(await client.listPets()).toEqual(sent.map((one, index) => ({ id: index + 1, ...one })))
})
