import { renameSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { startFixtureService, tool, tools } from '../../helpers/fixture-service.ts'

const moved = /^store unavailable: .* was moved or deleted/
const over = 'store: no more failures'

/** A service whose database file can be moved away, and put back, on a clock that the test moves. */
async function start() {
  const { file, ...db } = await createSqliteDatabase()
  const { send, logged } = await startFixtureService({}, db)
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  return {
    passSeconds: (seconds: number) => vi.advanceTimersByTime(seconds * 1_000),
    moveFile: () => renameSync(file, `${file}.away`),
    putFileBack: () => renameSync(`${file}.away`, file),
    create: async () => (await send(tools, { json: JSON.parse(tool) })).status,
    lines: () =>
      logged
        .filter(({ msg }) => moved.test(String(msg)) || msg === over)
        .map(({ level, msg, rejected, seconds }) => [level, msg, rejected, seconds]),
  }
}

const began = (requests: number) => ['error', expect.stringMatching(moved), requests, undefined]
const ended = (requests: number, seconds: number) => ['info', over, requests, seconds]

test('an outage of the store is logged once a minute with the requests since, and when it is over with all of them', async () => {
  const { create, passSeconds, moveFile, putFileBack, lines } = await start()
  moveFile()
  for (let second = 0; second < 150; second++) {
    expect(await create()).toBe(503)
    passSeconds(1)
  }
  expect(lines()).toEqual([began(1), began(60), began(60)])
  putFileBack()
  expect(await create()).toBe(201)
  passSeconds(30)
  expect(lines().slice(3)).toEqual([ended(150, 149)])
})
