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
    send,
    passSeconds: (seconds: number) => vi.advanceTimersByTime(seconds * 1_000),
    moveFile: () => renameSync(file, `${file}.away`),
    putFileBack: () => renameSync(`${file}.away`, file),
    create: async () => (await send(tools, { json: JSON.parse(tool) })).status,
    file,
    logged,
    lines: () =>
      logged
        .filter(({ msg }) => moved.test(String(msg)) || msg === over)
        .map(({ level, msg, rejected, seconds }) => [level, msg, rejected, seconds]),
  }
}

const began = (requests: number) => ['error', expect.stringMatching(moved), requests, undefined]
const ended = (requests: number, seconds: number) => ['info', over, requests, seconds]

test('an outage of the store is one line, and one when it is over, with the requests and seconds', async () => {
  const { create, send, passSeconds, moveFile, putFileBack, lines, logged, file } = await start()
  moveFile()
  for (let request = 0; request < 99; request++) expect(await create()).toBe(503)
  passSeconds(9)
  expect(await create()).toBe(503)
  // Reads never failed, so one that succeeds ends nothing.
  expect((await send(tools)).status).toBe(200)
  expect(lines()).toEqual([began(1)])
  expect(logged[0]).toMatchObject({ err: { message: expect.stringContaining(file) } })
  putFileBack()
  expect(await create()).toBe(201)
  passSeconds(30)
  expect(lines().slice(1)).toEqual([ended(100, 9)])
  // What the first outage has reported is not reported again.
  moveFile()
  expect(await create()).toBe(503)
  expect(lines().slice(2)).toEqual([began(1)])
  putFileBack()
  expect((await send('/readyz')).status).toBe(200)
  expect(lines().slice(3)).toEqual([ended(1, 0)])
})

test('an outage that lasts is logged once a minute, with the requests since', async () => {
  const { create, passSeconds, moveFile, lines } = await start()
  moveFile()
  for (let second = 0; second < 150; second++) {
    await create()
    passSeconds(1)
  }
  expect(lines()).toEqual([began(1), began(60), began(60)])
})
