import { expect, test, vi } from 'vitest'
import { stopClocks } from '../../helpers/clocks.ts'
import { engines } from '../../helpers/databases/engines.ts'
import { startFixtureService, tools } from '../../helpers/fixture-service.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { expectSuccess } from '../../helpers/npm-script.ts'
import type { TestService } from '../../helpers/service.ts'

const hour = 3_600_000
const day = 24 * hour

/** Sends a request with each key, one after the other; returns their statuses. */
async function use({ send }: TestService, ...keys: readonly string[]): Promise<number[]> {
  const statuses: number[] = []
  for (const key of keys) {
    statuses.push((await send(tools, { key })).status)
  }
  return statuses
}

test.for(engines)(
  'revoke, rotate and the end of an overlap reach a running service within five seconds, also if its clock is an hour behind, on $name',
  async ({ createTestDatabase }) => {
    const db = await createTestDatabase()
    const keys = createKeysCommand(db.url)
    const issue = () => keys.make('issue', '--plan', 'hobby')
    const [revoked, replaced, overlapping] = [await issue(), await issue(), await issue()]
    stopClocks(Date.now() - hour)
    const service = await startFixtureService({ RATE_LIMITS: 'off' }, db)
    const old = [revoked, replaced, overlapping].map(({ key }) => key)
    expect(await use(service, ...old)).toEqual([200, 200, 200])

    await keys.run('revoke', revoked.id)
    const { key: successor } = await keys.make('rotate', replaced.id)
    const { key: next } = await keys.make('rotate', overlapping.id, '--overlap', '1h')
    vi.advanceTimersByTime(5_000)
    expect(await use(service, ...old, successor, next)).toEqual([401, 401, 200, 200, 200])
    // The overlap ends by the clock of the machine that ran the command.
    vi.advanceTimersByTime(2 * hour - 60_000)
    expect(await use(service, ...old, successor, next)).toEqual([401, 401, 200, 200, 200])
    vi.advanceTimersByTime(hour)
    expect(await use(service, ...old, successor, next)).toEqual([401, 401, 401, 200, 200])
  },
)

test.for(engines)(
  'of four parallel commands that rotate an API key, exactly one wins, on $name',
  async ({ createTestDatabase }) => {
    const keys = createKeysCommand((await createTestDatabase()).url)
    const { id } = await keys.make('issue', '--plan', 'hobby')
    // With an overlap the key stays valid: nothing but its successor keeps the others out.
    const rotate = () => keys.run('rotate', id, '--overlap', '1h')
    const ended = await Promise.all([rotate(), rotate(), rotate(), rotate()])
    const lost = ended.filter(({ status }) => status !== 0)
    const [, successor] = await keys.list()
    const errorOutput = `Key ${id} was rotated already. Rotate its successor ${successor?.id} instead.\n`
    expect(lost).toMatchObject(Array(3).fill({ status: 1, output: '', errorOutput }))
    expect(await keys.list()).toHaveLength(2)
  },
)

test('keys list shows the usage of each key today on all instances, and its last use', async () => {
  const one = await startFixtureService()
  const two = await startFixtureService({}, one.db)
  const { key, id } = await one.issue({ name: 'batch', perMinute: 2, perDay: 8 })
  const [early, never] = [await one.issue(), await one.issue()]
  const lastUsedAt = Date.now() - day
  const yesterday = { day: Math.floor(lastUsedAt / day), requests: 5, lastUsedAt }
  await one.store.usage.add([id, early.id].map((keyId) => ({ keyId, ...yesterday })))
  // What is over the limit of an instance does not count.
  expect(await use(one, key, key, key)).toEqual([200, 200, 429])
  expect(await use(two, key)).toEqual([200])
  await one.stop()
  await two.stop()
  const keys = createKeysCommand(one.db.url)
  // The first two are the services' own.
  expect((await keys.list()).slice(2)).toMatchObject([
    { id, usedToday: 3, perDay: 8, lastUsedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/) },
    { id: early.id, usedToday: 0, lastUsedAt: new Date(lastUsedAt).toISOString() },
    { id: never.id, usedToday: 0, lastUsedAt: null },
  ])
  const table = await expectSuccess(keys.run('list'))
  expect(table).toMatch(/USED TODAY +LAST USED/)
  expect(table).toMatch(/batch .* 3 \(37 %\) +\d{4}-\d{2}-\d{2} \d{2}:\d{2}/)
  expect(table).toContain('approximate')
})

test('usage that cannot be written is lost, with a warning, and later usage is counted', async () => {
  const service = await startFixtureService()
  const unblock = await service.db.blockWriters('key_usage')
  await use(service, service.apiKey)
  const warnings = () => service.logged.filter(({ level }) => level === 'warn')
  await expect.poll(warnings).toMatchObject([{ msg: 'usage: lost' }])
  await unblock()
  await use(service, service.apiKey)
  await service.stop()
  expect(await createKeysCommand(service.db.url).list()).toMatchObject([{ usedToday: 1 }])
})
