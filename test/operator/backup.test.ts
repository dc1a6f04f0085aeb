import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createSqlitePlace } from '../support/places/sqlite-place.ts'
import { type Ended, startProgram } from '../support/program.ts'
import { startTestService } from '../support/service.ts'
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

function run(command: 'backup' | 'restore', file: string, ...args: string[]): Promise<Ended> {
  const env = { DATABASE_URL: `sqlite:${file}` }
  return startProgram(`server/commands/${command}.ts`, args, { env }).ended
}

/** A row of numbers of a database, which has to be whole. */
function ask(file: string, sql: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    return Object.values(database.prepare(sql).get() ?? {})
  } finally {
    database.close()
  }
}

async function add({ origin }: ServiceProcess, key: string, name: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name, categoryId: 1 })
  const response = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body })
  expect(response.status).toBe(201)
  return Number((await response.json()).id)
}

async function names({ origin }: ServiceProcess, key: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${key}` }
  const response = await fetch(`${origin}/v1/pets`, { headers })
  const page: { name: string }[] = await response.json()
  return page.map(({ name }) => name)
}

test('a backup that is made while eight writers write is one moment of the store', async () => {
  const { file, ...place } = await createSqlitePlace()
  const service = await startTestService({ RATE_LIMITS: 'off' }, place)
  const filler = new DatabaseSync(file, { timeout: 5_000 })
  filler.exec(`WITH RECURSIVE s (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 100000)
    INSERT INTO animals (name, category_id) SELECT 'animal number ' || n, n FROM s`)
  filler.close()
  const target = join(createTemporaryFolder(), 'copy.sqlite')
  let last = 0
  let isOver = false
  const writeOn = async (): Promise<void> => {
    // Each goes into two tables: half of one would show.
    while (!isOver) last = (await service.client.createPet({ name: 'Rex', categoryId: 1 })).id
  }
  const writers = Array.from({ length: 8 }, writeOn)
  while (last === 0) await new Promise(setImmediate)
  const acknowledged = last
  const backup = run('backup', file, target)
  const ended = await backup
  const after = last
  isOver = true
  await Promise.all(writers)

  expect(ended).toMatchObject({ status: 0, complaint: '' })
  expect(ended.output).toMatch(/copy\.sqlite holds the store, whole, in [\d,]+ bytes\.\n$/)
  const sql = 'SELECT count(*), max(id), (SELECT count(*) FROM idempotency_keys) FROM animals'
  const [count, most, keys] = ask(target, sql)
  expect(Number(most)).toBeGreaterThanOrEqual(acknowledged)
  expect(Number(most)).toBeLessThan(after)
  expect(count).toBe(most)
  expect(keys).toBe(Number(most) - 100_000)
  expect(readdirSync(dirname(target))).toEqual(['copy.sqlite'])
  expect(statSync(target).mode & 0o777).toBe(0o600)
})

test('a restored backup has all that was acknowledged before it, whatever a crash left beside the old store', async () => {
  const folder = createTemporaryFolder()
  const file = join(folder, 'data', 'store.sqlite')
  const backup = join(folder, 'monday.sqlite')
  const first = await startServiceProcess(file)
  const key = await first.firstKey()
  for (const name of ['one', 'two']) await add(first, key, name)
  expect(await run('backup', file, backup)).toMatchObject({ status: 0 })
  await add(first, key, 'three')
  expect(await run('restore', file, backup)).toMatchObject({
    status: 1,
    output: '',
    complaint: `The database ${file} is in use. Stop the service, and run the same command again.\n`,
  })
  await first.program.kill('SIGKILL')
  expect(existsSync(`${file}-wal`)).toBe(true)

  const restored = await run('restore', file, backup)
  expect(restored).toMatchObject({ status: 0, complaint: '' })
  const [, aside = ''] = /^What was there is (\S+);/m.exec(restored.output) ?? []
  expect(readdirSync(dirname(file))).toEqual([
    'store.sqlite',
    aside.slice(dirname(file).length + 1),
  ])
  expect(ask(aside, 'SELECT count(*) FROM animals')).toEqual([3])

  const second = await startServiceProcess(file)
  expect(await names(second, key)).toEqual(['one', 'two'])
  expect(await add(second, key, 'four')).toBe(3)
  await second.program.kill('SIGTERM')
  // The backup is as it was, and may be restored again, also where nothing is.
  const fresh = join(folder, 'elsewhere', 'store.sqlite')
  expect(await run('restore', fresh, backup)).toMatchObject({ status: 0, complaint: '' })
  expect(ask(fresh, 'SELECT count(*) FROM animals')).toEqual([2])
})

test('a backup that is put in place by hand is not mixed with the log of the old store', async () => {
  const folder = createTemporaryFolder()
  const file = join(folder, 'store.sqlite')
  const backup = join(folder, 'monday.sqlite')
  const first = await startServiceProcess(file)
  const key = await first.firstKey()
  await add(first, key, 'one')
  await run('backup', file, backup)
  await add(first, key, 'two')
  await first.program.kill('SIGKILL')
  copyFileSync(backup, file)
  const env = { PORT: '0', DATABASE_URL: `sqlite:${file}` }
  const { status, complaint } = await startProgram('server/main.ts', [], { env }).ended
  expect(status).toBe(1)
  expect(complaint).toBe(
    `The log ${file}-wal was left by another database, in whose place ${file} was put. ` +
      `Remove ${file}-wal and ${file}-shm, and start again.\n`,
  )
  for (const ending of ['-wal', '-shm']) rmSync(file + ending)
  const second = await startServiceProcess(file)
  expect(await names(second, key)).toEqual(['one'])
})
