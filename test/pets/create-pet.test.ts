import { expect, test } from 'vitest'
import { startTestService } from '../helpers/service.ts'
import { leastId, mostId, petStatuses } from './support/contract.ts'
import { count, pet, post } from './support/pets.ts'

test('the response has the next id and every field of the request, and no other', async () => {
  const { client } = await startTestService()
  const sent = [
    ...petStatuses.map((status) => ({ name: 'Rex', categoryId: 7, status })),
    ...[leastId, -1, 0, mostId].map((categoryId) => ({ name: 'Mia', categoryId })),
  ]
  for (const [index, pet] of sent.entries()) {
    const id = index + 1
    expect(await client.createPet(pet)).toEqual({ id, ...pet })
    expect(await client.getPet(id)).toEqual({ id, ...pet })
  }
  expect(await client.listPets()).toEqual(sent.map((one, index) => ({ id: index + 1, ...one })))
})

test('a body with an unknown field, id among them, is rejected, and nothing is stored', async () => {
  const service = await startTestService()
  for (const field of ['id', 'nickname', '__proto__']) {
    const response = await post(service, JSON.stringify(pet).replace('{', `{"${field}":5,`))
    expect(response.status, field).toBe(400)
    const details = [{ path: `/body/${field}`, message: 'is not a known field' }]
    expect(await response.json(), field).toMatchObject({ code: 'invalid_request', details })
  }
  expect(await count(service)).toBe(0)
})
