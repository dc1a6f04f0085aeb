import { expect, test } from 'vitest'
import { startAnimalStore } from './support/service.ts'

// The other errors of every operation are those of the platform.
test('the operations on pets are 500 when the database fails, and 503 when it is not reachable', async () => {
  const { send, db, store, logged } = await startAnimalStore()
  const json = { name: 'Rex', categoryId: 7 }
  const call = () => Promise.all([send('/v1/pets'), send('/v1/pets', { json }), send('/v1/pets/1')])
  await call()
  await db.execute('DROP TABLE pets')
  for (const response of await call()) {
    const text = await response.text()
    expect(response.status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ code: 'internal_error', status: 500 })
    expect(text).not.toMatch(/sql|table|pets|at |\.ts/i)
    const requestId = response.headers.get('x-request-id')
    const line = logged.find((entry) => entry['requestId'] === requestId)
    const reason = /no such table|relation \\"pets\\" does not exist/
    expect(JSON.stringify(line)).toMatch(reason)
  }
  await store.close()
  for (const response of await call()) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
    expect(await response.json()).toMatchObject({ code: 'unavailable', status: 503 })
  }
  expect((await send('/readyz', { key: '' })).status).toBe(503)
  expect((await send('/livez', { key: '' })).status).toBe(200)
})
