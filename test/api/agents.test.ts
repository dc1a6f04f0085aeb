import { expect, test } from 'vitest'
import { connectAgent } from '../helpers/agent.ts'
import { startAnimalStore } from './support/service.ts'

test('an agent lists the tools, creates and lists pets, and corrects a call that was rejected', async () => {
  const { origin, apiKey: key, client } = await startAnimalStore()
  const agent = await connectAgent({ origin, key })
  expect([...(await agent.tools()).keys()].toSorted()).toEqual(['createPet', 'getPet', 'listPets'])

  const rejected = await agent.call('createPet', { body: { name: 'Rex', categoryId: 'dogs' } })
  expect(rejected).toMatchObject({
    isError: true,
    status: 400,
    body: { details: [{ path: '/body/categoryId', message: 'must be an integer' }] },
  })
  const rex = { name: 'Rex', categoryId: 7, status: 'available' }
  const created = await agent.call('createPet', { body: rex })
  expect(created).toMatchObject({ isError: false, status: 201, body: { id: 1, ...rex } })
  await agent.call('createPet', { body: { ...rex, name: 'Mia' } })
  expect(await client.getPet(2)).toMatchObject({ name: 'Mia' })

  const { body, next } = await agent.call('listPets', { limit: 1, status: 'available' })
  expect(body).toEqual([{ id: 1, ...rex }])
  const second = await agent.call('listPets', next)
  expect(second.body).toEqual([{ id: 2, ...rex, name: 'Mia' }])
  expect(second.next).toBeUndefined()
})
