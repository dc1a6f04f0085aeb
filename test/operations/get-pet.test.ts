import { expect, test } from 'vitest'
import { startTestService } from '../support/service.ts'

test('an animal is found by its id', async () => {
  const { client } = await startTestService()
  const animal = await client.createPet({ name: 'Rex', categoryId: 7, status: 'sold' })
  expect(await client.getPet(animal.id)).toEqual(animal)
})

test.each(['2', '0', '-1', '-0', '9007199254740991'])('there is no animal %s', async (id) => {
  const { send } = await startTestService()
  const response = await send(`/v1/pets/${id}`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'not_found', status: 404 })
})

test.each([
  'rex',
  '1.0',
  '1e0',
  '0x1',
  '+1',
  '%201',
  '1%20',
  '9007199254740992',
  '9223372036854775808',
  '%ff',
  '1%2F2',
  'null',
])('the id %s is refused', async (id) => {
  const { send, client } = await startTestService()
  await client.createPet({ name: 'Rex', categoryId: 7 })
  const response = await send(`/v1/pets/${id}`)
  expect(response.status).toBe(400)
  const error = await response.json()
  expect(error).toMatchObject({ code: 'invalid_request', status: 400 })
  expect(error.details[0]).toMatchObject({ path: '/path/petId' })
})

test('every answer says that the operation is deprecated, since when, until when, and for what', async () => {
  const { send, client, origin } = await startTestService()
  await client.createPet({ name: 'Rex', categoryId: 7 })
  const answers = [
    await send('/v1/pets/1'),
    await send('/v1/pets/2'),
    await send('/v1/pets/x'),
    await send('/v1/pets/1', { headers: {} }),
    await fetch(`${origin}/v1/pets/1`, { method: 'HEAD', headers: {} }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 401, 401])
  for (const { headers } of answers) {
    expect(headers.get('deprecation')).toBe(`@${Date.UTC(2026, 10, 20) / 1000}`)
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT')
    expect(headers.get('link')).toBe('</v1/pets>; rel="successor-version"')
  }
  const { headers } = await send('/v1/pets')
  expect(headers.get('deprecation')).toBeNull()
  expect(headers.get('sunset')).toBeNull()
})
