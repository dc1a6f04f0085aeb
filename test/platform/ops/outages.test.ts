import { renameSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startFixtureService, tool, tools } from '../../helpers/fixture-service.ts'

test('an outage of the store is logged once a minute with the requests since, and when it is over with all of them', async () => {
  const { file, ...db } = await createSqliteDatabase()
  const { send, logged } = await startFixtureService({}, db)
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const lines = () => logged.filter(({ msg }) => String(msg).startsWith('store'))
  const create = async () => (await send(tools, { json: JSON.parse(tool) })).status
  renameSync(file, `${file}.away`)
  for (let second = 0; second < 150; second++) {
    expect(await create()).toBe(503)
    vi.advanceTimersByTime(1_000)
  }
  const msg = expect.stringMatching(/^store unavailable: .* was moved or deleted/)
  const began = [1, 60, 60].map((rejected) => ({ level: 'error', msg, rejected }))
  expect(lines()).toMatchObject(began)
  renameSync(`${file}.away`, file)
  expect(await create()).toBe(201)
  vi.advanceTimersByTime(30_000)
  const ended = { level: 'info', msg: 'store: no more failures', rejected: 150, seconds: 149 }
  expect(lines()).toMatchObject([...began, ended])
})

test('when the service stops during an outage of the store, its log ends with the number of failed requests', async () => {
  const { file, ...db } = await createSqliteDatabase()
  const service = await startFixtureService({}, db)
  renameSync(file, `${file}.away`)
  const create = async () => (await service.send(tools, { json: JSON.parse(tool) })).status
  expect([await create(), await create()]).toEqual([503, 503])
  await service.stop()
  const ended = { level: 'info', msg: 'store: no more failures', rejected: 2 }
  const lines = service.logged.filter(({ msg }) => String(msg).startsWith('store'))
  expect(lines).toMatchObject([{ level: 'error', rejected: 1 }, ended])
})
