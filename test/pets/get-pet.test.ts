import { expect, test } from 'vitest'
import { basePath, operations } from '../../generated/operations.ts'
import { startTestService } from '../helpers/service.ts'
import { leastId, mostId } from './support/contract.ts'

test('a pet that does not exist is 404', async () => {
  const { send, client } = await startTestService()
  await client.createPet({ name: 'Rex', categoryId: 7 })
  for (const id of ['2', '0', '-1', '-0', leastId, mostId]) {
    const response = await send(`/v1/pets/${id}`)
    expect(response.status, String(id)).toBe(404)
    expect(await response.json(), String(id)).toMatchObject({ code: 'not_found', status: 404 })
  }
})

test('every response has the Deprecation, Sunset and Link headers', async () => {
  const { send, client, origin } = await startTestService()
  await client.createPet({ name: 'Rex', categoryId: 7 })
  const responses = [
    await send('/v1/pets/1'),
    await send('/v1/pets/2'),
    await send('/v1/pets/x'),
    await send('/v1/pets/1', { headers: {} }),
    await fetch(`${origin}/v1/pets/1`, { method: 'HEAD', headers: {} }),
  ]
  expect(responses.map(({ status }) => status)).toEqual([200, 404, 400, 401, 401])
  const { since, sunset, replacedBy } = operations.getPet.deprecation
  const { path } = operations[replacedBy.operationId]
  for (const { headers } of responses) {
    expect(headers.get('deprecation')).toBe(`@${Date.parse(since) / 1000}`)
    expect(headers.get('sunset')).toBe(new Date(sunset).toUTCString())
    expect(headers.get('link')).toBe(`<${basePath}${path}>; rel="successor-version"`)
  }
  const { headers } = await send('/v1/pets')
  expect(headers.get('deprecation')).toBeNull()
  expect(headers.get('sunset')).toBeNull()
})
