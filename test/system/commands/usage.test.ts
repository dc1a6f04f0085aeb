import { expect, test } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'

const day = 86_400_000

/** Sends a request with a key, and returns its status. */
async function use({ send }: TestService, key: string): Promise<number> {
  return (await send(`${basePath}/pets`, { key })).status
}

test('keys list shows the usage of each key today on all instances, and its last use', async () => {
  const one = await startTestService()
  const two = await startTestService({}, one.db)
  const { key, id } = await one.issue({ name: 'batch', perMinute: 2, perDay: 8 })
  const [early, never] = [await one.issue(), await one.issue()]
  const lastUsedAt = Date.now() - day
  const yesterday = { day: Math.floor(lastUsedAt / day), requests: 5, lastUsedAt }
  await one.store.usage.add([id, early.id].map((keyId) => ({ keyId, ...yesterday })))
  // What is over the limit of an instance does not count.
  const statuses = [await use(one, key), await use(one, key), await use(one, key)]
  expect(statuses).toEqual([200, 200, 429])
  await use(two, key)
  await one.stop()
  await two.stop()
  const keys = createKeysCommand(one.db.url)
  // The first two are the services' own.
  expect((await keys.list()).slice(2)).toMatchObject([
    { id, usedToday: 3, perDay: 8, lastUsedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/) },
    { id: early.id, usedToday: 0, lastUsedAt: new Date(lastUsedAt).toISOString() },
    { id: never.id, usedToday: 0, lastUsedAt: null },
  ])
  const { output: table } = await keys.run('list')
  expect(table).toMatch(/USED TODAY +LAST USED/)
  expect(table).toMatch(/batch .* 3 \(37 %\) +\d{4}-\d{2}-\d{2} \d{2}:\d{2}/)
  expect(table).toContain('approximate')
})

test('usage that cannot be written is lost, with a warning, and later usage is counted', async () => {
  const service = await startTestService()
  const unblock = await service.db.blockWriters('key_usage')
  await use(service, service.apiKey)
  const warnings = () => service.logged.filter(({ level }) => level === 'warn')
  await expect.poll(warnings).toMatchObject([{ msg: 'usage: lost' }])
  await unblock()
  await use(service, service.apiKey)
  await service.stop()
  expect(await createKeysCommand(service.db.url).list()).toMatchObject([{ usedToday: 1 }])
})
