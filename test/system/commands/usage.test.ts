import { expect, test } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { startTestService, type TestService } from '../../helpers/service.ts'

const day = 86_400_000

/** Sends requests with a key, and returns their statuses. */
async function use({ send }: TestService, key: string, times = 1): Promise<number[]> {
  const statuses: number[] = []
  for (let request = 0; request < times; request++) {
    statuses.push((await send(`${basePath}/pets`, { key })).status)
  }
  return statuses
}

/** Returns a key as `keys list --json` prints it. */
async function find({ db }: TestService, id: string) {
  return (await createKeysCommand(db.url).list()).find((key) => key.id === id)
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
  expect(await use(one, key, 3)).toEqual([200, 200, 429])
  await use(two, key)
  await one.stop()
  await two.stop()
  expect(await find(one, id)).toMatchObject({
    usedToday: 3,
    perDay: 8,
    lastUsedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
  })
  expect(await find(one, early.id)).toMatchObject({
    usedToday: 0,
    lastUsedAt: new Date(lastUsedAt).toISOString(),
  })
  expect(await find(one, never.id)).toMatchObject({ usedToday: 0, lastUsedAt: null })
  const { output: table } = await createKeysCommand(one.db.url).run('list')
  expect(table).toMatch(/USED TODAY +LAST USED/)
  expect(table).toMatch(/batch .* 3 \(37 %\) +\d{4}-\d{2}-\d{2} \d{2}:\d{2}/)
  expect(table).toContain('approximate')
})

test('usage that cannot be written is lost, with a warning, and later usage is counted', async () => {
  const service = await startTestService()
  const { key, id } = await service.issue()
  const unblock = await service.db.blockWriters('key_usage')
  await use(service, key)
  const warnings = () => service.logged.filter(({ level }) => level === 'warn')
  await expect.poll(warnings).toMatchObject([{ msg: 'usage: lost' }])
  await unblock()
  await use(service, key)
  await service.stop()
  expect(await find(service, id)).toMatchObject({ usedToday: 1 })
})
