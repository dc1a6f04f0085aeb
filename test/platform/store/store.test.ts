import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { issueKey } from '../../../server/security/api-key.ts'
import { copyStore } from '../../../server/store/copy-store.ts'
import { UniqueViolation } from '../../../server/store/errors.ts'
import { type CreatedTable, IdempotentCreates } from '../../../server/store/idempotent-create.ts'
import type { Schema } from '../../../server/store/schema.ts'
import { fixtureApi } from '../../fixture-api/fixture-api.ts'
import { stopClocks } from '../../helpers/clocks.ts'
import {
  createUsualDatabase,
  openAt,
  type TestDatabase,
} from '../../helpers/databases/test-database.ts'
import { startFixtureService, startFixtureWith, tools } from '../../helpers/fixture-service.ts'
import { roomy } from '../../helpers/service.ts'
import { create, createTool, listIds, saw } from './support/tools.ts'

// What holds in both databases: `postgres.test.ts` runs these tests once more.

// Hundreds of requests at once are part of these tests, load shedding is not.
const start = (db?: TestDatabase) => startFixtureService({ OVERLOAD_WAIT_MS: '60000' }, db)

test('ids start at 1, grow, and are never used again, also after a restart', async () => {
  const first = await start()
  const { db } = first
  const created = [1, 2, 3].map(() => createTool(first))
  expect((await Promise.all(created)).sort()).toEqual([1, 2, 3])
  await db.execute('DELETE FROM tools WHERE id = 3')
  const next = await createTool(first)
  expect(next).toBeGreaterThan(3)
  await db.execute(`DELETE FROM tools WHERE id = ${next}`)
  await first.stop()
  const second = await start(db)
  const id = await createTool(second)
  expect(id).toBeGreaterThan(next)
  expect(await listIds(second)).toEqual([1, 2, id])
})

test('an idempotency key gives the same response after a restart, also if its row was deleted, and its case matters', async () => {
  const first = await start()
  const { apiKey, db } = first
  // A rejected request does not use up its key.
  expect((await create(first, 'b c', { ...saw, name: '' })).status).toBe(400)
  const { body, isRepeated } = await create(first, 'b c')
  expect(isRepeated).toBe(false)
  expect((await create(first, 'B C')).isRepeated).toBe(false)
  await first.stop()
  await db.execute(`DELETE FROM tools WHERE id = ${body.id}`)
  const other = await start(db)
  const second = { ...other, apiKey }
  expect(await create(second, 'b c')).toEqual({ status: 201, body, isRepeated: true })
  const message = 'This Idempotency-Key was used for another request.'
  expect(await create(second, 'b c', { ...saw, name: 'Dozuki' })).toMatchObject({
    status: 422,
    body: { code: 'idempotency_key_reused', message },
  })
  // The same key of another caller is another key.
  expect(await create(other, 'b c')).toMatchObject({ status: 201, isRepeated: false })
  expect(await listIds(second)).toEqual([2, 3])
})

test('bodies with equal values are the same in any order, and so are an idempotency key and its quoted form', async () => {
  const service = await start()
  const labels = { colour: 'red', shelf: '7' }
  const { body } = await create(service, 'a"b\\c', { ...saw, weight: 1, labels })
  const reordered =
    '{"labels":{"shelf":"7","colour":"red"},"weight":1.0,"name":"Ryoba","kind":"saw"}'
  const again = await create(service, '"a\\"b\\\\c"', reordered)
  expect(again).toEqual({ status: 201, body, isRepeated: true })
  expect(await listIds(service)).toEqual([1])
})

test('an idempotency key is used for one path and query, compared as values', async () => {
  const path = '/shelves/{shelf}/tools'
  const [text, list] = [{ type: 'string' }, { type: 'array', items: { type: 'string' } }]
  const { header } = fixtureApi.operations['createTool']?.parameters ?? { header: {} }
  const service = await startFixtureWith(
    {
      operations: {
        createTool: {
          path,
          parameters: {
            path: { shelf: { ...text, required: true } },
            query: { colour: text, tag: list },
            header,
            cookie: {},
          },
        },
      },
      edit({ paths }) {
        const { post, ...others } = paths['/tools']
        const parameters = [
          ...post.parameters,
          { name: 'shelf', in: 'path', required: true, schema: text },
          { name: 'colour', in: 'query', schema: text },
          { name: 'tag', in: 'query', schema: { type: 'array', items: text } },
        ]
        paths['/tools'] = others
        paths[path] = { post: { ...post, parameters } }
      },
    },
    { OVERLOAD_WAIT_MS: '60000' },
  )
  const headers = { 'Idempotency-Key': 'k' }
  const createAt = (target: string) =>
    service.ask(`/lending/v2/shelves/${target}`, { json: saw, headers })
  const first = '1%2Fa/tools?colour=red&tag=a&tag=b'
  expect(await createAt(first)).toMatchObject({ status: 201, id: 1 })
  const same = [first, '%31%2fa/tools?tag=a&tag=b&colour=%72ed']
  for (const target of same) {
    const repeated = { status: 201, id: 1, 'idempotent-replayed': 'true' }
    expect(await createAt(target), target).toMatchObject(repeated)
  }
  const others = [
    '2%2Fa/tools?colour=red&tag=a&tag=b',
    '1%2Fa/tools',
    '1%2Fa/tools?colour=blue&tag=a&tag=b',
    '1%2Fa/tools?colour=red&tag=b&tag=a',
  ]
  const reused = { status: 422, code: 'idempotency_key_reused' }
  for (const target of others) {
    expect(await createAt(target), target).toMatchObject(reused)
  }
  const all = others.map((target) => createAt(target))
  for (const response of await Promise.all(all)) {
    expect(response).toMatchObject(reused)
  }
  expect(await listIds(service)).toEqual([1])
})

test('an idempotency key is used for one of the tables of an API', async () => {
  const parts: CreatedTable = { name: 'parts', columns: { name: 'text' } }
  const { schema } = fixtureApi
  const migrations: Schema['migrations'] = (dialect) => ({
    ...schema.migrations(dialect),
    '0002_parts': [`CREATE TABLE parts (id ${dialect.types.id}, name TEXT)`],
  })
  const db = await createUsualDatabase()
  const { database } = await openAt(db, { ...fixtureApi, schema: { ...schema, migrations } })
  const tools: CreatedTable = { name: 'tools', columns: { document: 'text' } }
  const add = (table: CreatedTable, fingerprint: string) => {
    const key = { callerId: 'key_a', key: 'k', fingerprint, expiresAt: Date.now() + 60_000 }
    return new IdempotentCreates(database, table).add(['{}'], key)
  }
  expect(await add(tools, 'POST /tools')).toEqual({ kind: 'added', id: 1 })
  expect(await add(parts, 'POST /parts')).toEqual({ kind: 'reused' })
  expect(await add(tools, 'POST /tools')).toEqual({ kind: 'repeated', id: 1 })
  expect(await db.execute('SELECT id FROM parts')).toEqual([])
})

test('an idempotency key of another API key is another one, also while both creates are running', async () => {
  const db = { ...(await createUsualDatabase()), timeout: 60_000 }
  const service = await start(db)
  const other = { ...service, apiKey: (await service.issue()).key }
  const release = await db.blockWriters('tools')
  const both = [create(service, 'k'), create(other, 'k')]
  // It gives up waiting for the first one after the others would have.
  expect(await create(other, 'k')).toMatchObject({ status: 409 })
  await release()
  const created = await Promise.all(both)
  expect(created).toMatchObject([{ status: 201 }, { status: 201 }])
  expect(created.map(({ body }) => body.id).sort()).toEqual([1, 2])
})

test('an idempotency key is kept for 24 hours', async () => {
  stopClocks()
  const service = await start()
  await create(service, 'k')
  vi.setSystemTime(Date.now() + 24 * 3_600_000 - 1_000)
  expect(await create(service, 'k')).toMatchObject({ isRepeated: true, body: { id: 1 } })
  vi.setSystemTime(Date.now() + 2_000)
  expect(await create(service, 'k')).toMatchObject({ isRepeated: false, body: { id: 2 } })
})

test('an idempotency key has 1 to 255 printable characters, or is a quoted string of them', async () => {
  const service = await start()
  const long = 'a'.repeat(256)
  for (const key of ['"', '""', '"a"b"', '"a\\b"', 'ä', 'a\tb', long, `"${long}"`]) {
    const { status, body } = await create(service, key)
    expect([status, body.details[0].path], key).toEqual([400, '/headers/idempotency-key'])
  }
  // An unpaired quote is part of the key.
  const accepted = ['a', 'a"', 'a'.repeat(255), 'two words', `"${'\\"'.repeat(255)}"`]
  for (const key of accepted) {
    expect((await create(service, key)).status, key).toBe(201)
  }
  expect(await listIds(service)).toHaveLength(accepted.length)
})

test('while a create is running, another one with its idempotency key is 409 with Retry-After', async () => {
  const db = { ...(await createUsualDatabase()), timeout: 60_000 }
  const service = await start(db)
  const release = await db.blockWriters('tools')
  const headers = { 'Idempotency-Key': 'k' }
  const both = [1, 2].map(() => service.send(tools, { json: saw, headers }))
  const response = await Promise.race(both)
  expect([response.status, response.headers.get('Retry-After')]).toEqual([409, '1'])
  const message = 'The first request with this Idempotency-Key is still running.'
  expect(await response.json()).toMatchObject({ code: 'idempotency_in_progress', message })
  await release()
  const statuses = (await Promise.all(both)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 409])
  expect(await create(service, 'k')).toMatchObject({ status: 201, isRepeated: true })
  expect(await listIds(service)).toHaveLength(1)
})

test('fifty requests at once under one idempotency key, to two instances, create one tool', async () => {
  const first = await start()
  const second = { ...(await start(first.db)), apiKey: first.apiKey }
  const sent = Array.from({ length: 25 }, () => [create(first, 'k'), create(second, 'k')])
  const responses = await Promise.all(sent.flat())
  const created = responses.filter(({ status }) => status === 201)
  expect(created.filter(({ isRepeated }) => !isRepeated)).toHaveLength(1)
  expect(new Set(created.map(({ body }) => body.id)).size).toBe(1)
  expect(created.length).toBeGreaterThan(1)
  // On a busy machine some are asked to repeat the request later.
  for (const { status } of responses) {
    expect([201, 409, 503]).toContain(status)
  }
  for (const service of [first, second]) {
    expect(await listIds(service)).toHaveLength(1)
  }
})

test('expired idempotency keys are deleted, and others are not', async () => {
  const service = await start()
  const { db } = service
  const numbers = Array.from({ length: 600 }, (_, number) => number)
  const rows = numbers.map((n) => `('other', '${n}', '', 1, ${n < 500 ? 1 : 4e12})`)
  const columns = 'caller_id, key, fingerprint, row_id, expires_at'
  await db.execute(`INSERT INTO idempotency_keys (${columns}) VALUES ${rows.join()}`)
  // A few at a time, beside requests.
  const countLeft = async () => {
    await createTool(service)
    return (await db.execute("SELECT key FROM idempotency_keys WHERE caller_id = 'other'")).length
  }
  await expect.poll(countLeft).toBe(100)
})

test('while another process blocks the writers for long, a write is 503, and nothing of it is stored', async () => {
  const service = await start()
  const release = await service.db.blockWriters('tools')
  const without = await service.send(tools, { json: saw })
  expect([without.status, without.headers.get('Retry-After')]).toEqual([503, '1'])
  expect(await without.json()).toMatchObject({ code: 'unavailable' })
  expect(await create(service, 'k')).toMatchObject({ status: 503, isRepeated: false })
  await release()
  expect(await listIds(service)).toEqual([])
  // The idempotency key was not used up.
  expect(await create(service, 'k')).toMatchObject({ status: 201, isRepeated: false })
})

test('a store of a newer version is rejected, until the name of its migration is deleted', async () => {
  const first = await start()
  const { db } = first
  await createTool(first)
  await first.stop()
  await db.execute(`INSERT INTO applied_migrations VALUES ('9999_newer', ${Date.now()})`)
  await expect(start(db)).rejects.toMatchObject({
    name: 'StoreError',
    message: expect.stringContaining('newer version'),
  })
  // The way back that `docs/deployment.md` describes.
  await db.execute("DELETE FROM applied_migrations WHERE name IN ('9999_newer')")
  expect(await listIds(await start(db))).toHaveLength(1)
})

test('a migration that fails changes nothing, and can be repeated', async () => {
  const db = await createUsualDatabase()
  const { schema } = fixtureApi
  const open = (statement: string) => {
    const parts = ['CREATE TABLE parts (id BIGINT)', statement]
    const migrations: Schema['migrations'] = (dialect) => ({
      ...schema.migrations(dialect),
      '0002_parts': parts,
    })
    return openAt(db, { ...fixtureApi, schema: { ...schema, migrations } })
  }
  await expect(open('nonsense')).rejects.toMatchObject({ name: 'StoreError' })
  const { database } = await open('INSERT INTO parts VALUES (1)')
  expect(await database.read('SELECT id FROM parts')).toEqual([{ id: 1 }])
})

test.for([1, 40, 70, 200])(
  'rows of %i columns are imported, and copied to another store',
  async (width) => {
    const names = Array.from({ length: width }, (_, column) => `column_${column}`)
    const { schema } = fixtureApi
    const migrations: Schema['migrations'] = (dialect) => {
      const columns = names.map((name) => `${name} ${dialect.types.integer} NOT NULL`)
      const statement = `CREATE TABLE wide (id ${dialect.types.id}, ${columns.join()})`
      return { ...schema.migrations(dialect), '0002_wide': [statement] }
    }
    const wide: Schema = {
      ...schema,
      migrations,
      tables: [...schema.tables, { name: 'wide', start: { id: 0 } }],
    }
    const open = async () => {
      const db = await createUsualDatabase()
      const { database } = await openAt(db, { ...fixtureApi, schema: wide })
      return { db, database }
    }
    const [source, target] = [await open(), await open()]
    // More than are read at a time.
    const count = 1_007
    const rows = Array.from({ length: count }, (_, row) =>
      Object.fromEntries(names.map((name, column) => [name, row + column])),
    )
    const select = source.database.dialect.selectJson(
      Object.fromEntries(names.map((name) => [name, 'bigint'])),
    )
    const insert = `INSERT INTO wide (${names.join()}) ${select}`
    await source.database.write([insert, JSON.stringify(rows)])
    const copied = await copyStore(source.database, target.database, wide, () => undefined)
    expect(copied).toContainEqual({ name: 'wide', rows: count })
    const sums = ['id', ...names].map((name) => `sum(${name} * id) AS ${name}`)
    const sql = `SELECT ${sums.join()} FROM wide`
    expect(await target.db.execute(sql)).toEqual(await source.db.execute(sql))
  },
)

test('the usage of a key is added up for a day, and begins again on the next', async () => {
  const { store } = await start()
  const use = (day: number, requests: number, last = requests) => {
    return { keyId: 'key_a', day, requests, lastUsedAt: day * 86_400_000 + last }
  }
  for (const [added, stored] of [
    [use(20_000, 2), use(20_000, 2)],
    [use(20_000, 1), use(20_000, 3, 2)],
    [use(20_001, 5), use(20_001, 5)],
    // Another instance may write later what it counted before midnight.
    [use(20_000, 9), use(20_001, 5)],
  ] as const) {
    await store.usage.add([added])
    expect(await store.usage.list()).toEqual([stored])
  }
})

test('usage whose write has begun when the service stops is stored', async () => {
  const db = { ...(await createUsualDatabase()), timeout: 60_000 }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const service = await start(db)
  const add = vi.spyOn(service.store.usage, 'add')
  const release = await db.blockWriters('key_usage')
  await service.send(tools)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(add).toHaveBeenCalledOnce()
  const stopped = service.stop()
  // A stop that does not wait for the write would be over.
  await Promise.race([stopped, wait(500)])
  await release()
  await stopped
  const { usage } = await openAt(db, fixtureApi)
  expect(await usage.list()).toMatchObject([{ requests: 1 }])
})

test('an API key keeps every field, and its rotation is stored as a whole', async () => {
  const { keys } = await openAt(await createUsualDatabase(), fixtureApi)
  const issue = () => issueKey({ ...roomy, name: 'naïve 🦊', perDay: 999_999_999_999 }).record
  const [old, successor] = [issue(), issue()]
  const list = async () =>
    (await keys.list()).map((key) => ({ ...key, digest: Buffer.from(key.digest) }))
  const end = { expiresAt: 3e12, revokedAt: undefined }
  await keys.add(old)
  // The id of the successor is taken: nothing is stored.
  await expect(keys.replace(old.id, end, old)).rejects.toThrow()
  expect(await list()).toEqual([old])
  expect(await keys.replace(old.id, end, successor)).toBe(true)
  // Another command that has read the key before stores nothing: one successor is enough.
  expect(await keys.replace(old.id, end, issue())).toBe(false)
  for (const time of [7, 8]) {
    await keys.revoke(successor.id, time)
  }
  const replaced = { ...old, ...end, replacedBy: successor.id }
  expect(await list()).toEqual([replaced, { ...successor, revokedAt: 7 }])
})

test('a handler gets a UniqueViolation for a row whose unique values exist', async () => {
  const { database } = (await start()).store
  await database.write(['CREATE TABLE codes (code TEXT PRIMARY KEY, data TEXT UNIQUE)'])
  const add = (code: string, data: string) =>
    database.write(['INSERT INTO codes (code, data) VALUES ($1, $2)', code, data])
  await add('$a', '$.a')
  await expect(add('$a', 'b')).rejects.toBeInstanceOf(UniqueViolation)
  await expect(add('b', '$.a')).rejects.toBeInstanceOf(UniqueViolation)
  // Only `$` with a number is a parameter.
  const sql = "SELECT data FROM codes WHERE data = '$.a' AND code = $1"
  expect(await database.read(sql, '$a')).toEqual([{ data: '$.a' }])
})

test('a link of a list is 400 on another store, and with a letter more or less', async () => {
  const [service, other] = [await start(), await start()]
  for (let count = 0; count < 2; count++) {
    await createTool(service)
  }
  const { headers } = await service.send(`${tools}?limit=1`)
  const [, next = ''] = /<(.+)>; rel="next"/.exec(headers.get('Link') ?? '') ?? []
  expect((await service.send(next)).status).toBe(200)
  expect((await other.send(next)).status).toBe(400)
  // Decoding ignores bits after the last byte: only the text as it was written is a cursor.
  for (const more of ['A', 'AA', '_', '-']) {
    expect((await service.send(next + more)).status, more).toBe(400)
  }
  expect((await service.send(next.slice(0, -1))).status).toBe(400)
})
