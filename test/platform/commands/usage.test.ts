import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { apiKeyMarker } from '../../../server/process/names.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { engines } from '../../helpers/databases/engines.ts'
import { createSqliteDatabase } from '../../helpers/databases/sqlite-database.ts'
import { openAt } from '../../helpers/databases/test-database.ts'
import { startFixtureService } from '../../helpers/fixture-service.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { expectFailure, expectSuccess, runScript } from '../../helpers/npm-script.ts'
import { createProjectCopy, editSpec, runInCopy } from '../../helpers/project-copy.ts'
import type { TestService } from '../../helpers/service.ts'
import { remove } from '../../helpers/spec-edit.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const dayLength = 86_400_000
const dayOf = (time: number) => Math.floor(time / dayLength)
const toDate = (day: number) => new Date(day * dayLength).toISOString().slice(0, 10)

/** Calls operations with a key, each as often as it says. */
async function call({ send }: TestService, key: string, paths: Readonly<Record<string, number>>) {
  for (const [path, times] of Object.entries(paths)) {
    for (let time = 0; time < times; time++) {
      await send(fixtureApi.basePath + path, { key })
    }
  }
}

/** A part of what `npm run diff -- --format json` prints. */
interface PrintedDiff {
  readonly changes: readonly { readonly breaking: boolean; readonly place: string }[]
  readonly usage: object
}

test.for(engines)(
  'npm run diff -- --usage names the two of six keys that called a removed operation, with counts, on $name',
  async ({ createTestDatabase }) => {
    const db = await createTestDatabase()
    const service = await startFixtureService({}, db)
    const names = ['shop', 'site', 'app', 'bot', 'zoo', 'unused']
    const keys = []
    for (const name of names) {
      keys.push(await service.issue({ name }))
    }
    const [shop, site, app, bot, zoo] = keys.map(({ key }) => key)
    await call(service, shop ?? '', { '/tools/1': 3, '/tools': 1 })
    // Whatever the response is: there is no tool, and no such id.
    await call(service, site ?? '', { '/tools/2': 1, '/tools/none': 1 })
    for (const key of [app, bot, zoo]) {
      await call(service, key ?? '', { '/tools': 2 })
    }
    await service.stop()
    await createKeysCommand(db.url).run('revoke', keys[1]?.id ?? '')

    const copy = await createProjectCopy()
    const printed = await expectSuccess(runScript(db, 'usage', '--out', join(copy, 'usage.json')))
    const today = toDate(dayOf(Date.now()))
    expect(printed).toMatch(/^Wrote to \S+: what 5 keys called from [\d-]+ to [\d-]+\.\n$/)
    await copyFile(join(copy, 'spec/openapi.yaml'), join(copy, 'spec/released.yaml'))
    await editSpec(copy, remove('paths /tools/{toolId}'))
    const diff = (args: string) =>
      runInCopy(copy, `node scripts/diff.ts --usage usage.json ${args}`)
    const { changes, usage }: PrintedDiff = JSON.parse(await diff('--format json'))
    const breaking = changes.filter((change) => change.breaking)
    const removed = breaking.filter(({ place }) => place === 'GET /tools/{toolId}')
    const caller = { plan: 'custom', lastDay: today }
    expect(removed).toMatchObject([
      {
        callers: [
          { ...caller, id: keys[0]?.id, name: 'shop', isValid: true, requests: 3 },
          { ...caller, id: keys[1]?.id, name: 'site', isValid: false, requests: 2 },
        ],
      },
    ])
    expect(usage).toMatchObject({ file: 'usage.json', from: today, to: today, days: 30 })
    const sentence = `2 keys called it in 30 days (counted since ${today}): shop (${keys[0]?.id}), plan custom, 3 requests, last on ${today}; site (${keys[1]?.id}), plan custom, no longer valid, 2 requests, last on ${today}.`
    for (const format of ['text', 'markdown', 'github']) {
      expect(await diff(`--format ${format}`), format).toContain(sentence)
    }

    const file = join(copy, 'usage.json')
    const written: { keys: object[] } = JSON.parse(readFileSync(file, 'utf8'))
    const operations = [{ operationId: 'getTool', days: [{ day: today, requests: 1 }] }]
    written.keys.push({ id: 'token_1', name: null, plan: null, isValid: true, operations })
    await writeFile(file, JSON.stringify(written))
    const withToken = await diff('--format text')
    expect(withToken).toContain('3 callers called it in 30 days')
    expect(withToken).toContain(`; token_1, 1 request, last on ${today}.`)
  },
)

test('npm run usage writes the days of each key and operation, and no key and no digest', async () => {
  const db = await createSqliteDatabase()
  const keys = createKeysCommand(db.url)
  const { key, id } = await keys.make('issue', '--plan', 'workshop', '--name', 'batch')
  await keys.make('issue', '--plan', 'hobby')
  const today = dayOf(Date.now())
  const { usage } = await openAt(db)
  const use = (operationId: string, day: number, requests: number) => {
    return { keyId: id, operationId, day, requests }
  }
  await usage.addCalls(
    [use('a', today - 1, 5), use('a', today, 2), use('b', today - 40, 7), use('b', today - 9, 1)],
    today,
  )
  await usage.addCalls([{ keyId: 'token_1', operationId: 'a', day: today, requests: 3 }], today)
  const read = async (...args: readonly string[]) =>
    JSON.parse(await expectSuccess(runScript(db, 'usage', ...args)))
  const dayOfUse = (day: number, requests: number) => ({ day: toDate(day), requests })
  const a = { operationId: 'a', days: [dayOfUse(today - 1, 5), dayOfUse(today, 2)] }
  const b = { operationId: 'b', days: [dayOfUse(today - 9, 1)] }
  const caller = {
    id,
    name: 'batch',
    plan: 'workshop',
    prefix: key.slice(0, apiKeyMarker.length + 6),
    isValid: true,
  }
  // A caller with a token is known by its ID alone.
  const other = { id: 'token_1', name: null, plan: null, prefix: null, isValid: true }
  const written = await read()
  expect(written).toEqual({
    format: 1,
    api: expect.stringMatching(/^[\w-]+$/),
    writtenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    from: toDate(today - 29),
    to: toDate(today),
    keys: [
      { ...caller, operations: [a, b] },
      { ...other, operations: [{ operationId: 'a', days: [dayOfUse(today, 3)] }] },
    ],
  })
  expect(await read('--days', '1')).toMatchObject({ from: toDate(today) })
  // Before the first day, nothing was counted.
  expect(await read('--days', '90')).toMatchObject({
    from: toDate(today - 40),
    keys: [
      { operations: [a, { days: [dayOfUse(today - 40, 7), { requests: 1 }] }] },
      { id: 'token_1' },
    ],
  })
})

test('npm run usage replaces its file as a whole, and writes neither over the database nor into a folder that is not there', async () => {
  const db = await createSqliteDatabase()
  await createKeysCommand(db.url).make('issue', '--plan', 'workshop')
  const folder = createTemporaryFolder()
  const file = join(folder, 'usage.json')
  await writeFile(file, 'old')
  await expectSuccess(runScript(db, 'usage', '--out', file))
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ format: 1, keys: [] })
  expect(readdirSync(folder)).toEqual(['usage.json'])
  const ofDatabase = /^\S+ is the database itself\. Name another file\.$/
  await expectFailure(runScript(db, 'usage', '--out', db.file), ofDatabase)
  const missing = join(folder, 'none/usage.json')
  await expectFailure(runScript(db, 'usage', '--out', missing), /^Cannot write \S+: ENOENT.*\.$/)
  expect(readdirSync(dirname(db.file))).toContain(basename(db.file))
})
