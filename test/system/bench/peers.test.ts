import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import {
  express,
  expressValidator,
  fastify,
  nodeHttp,
  type Peer,
  service,
} from '../../../bench/peers/peers.ts'
import { createDatabase, type Database } from '../../../bench/run/database.ts'
import { startServer } from '../../../bench/run/server.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const animal = JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' })
const asked = [
  { path: '/v1/pets' },
  { path: '/v1/pets?limit=2&status=sold' },
  { path: '/v1/pets/3' },
  { path: '/v1/pets', method: 'POST', body: animal },
  { path: '/v1/pets', method: 'POST', body: animal, headers: { 'Idempotency-Key': 'once' } },
  { path: '/v1/pets', method: 'POST', body: animal, headers: { 'Idempotency-Key': 'once' } },
  { path: '/v1/pets/99999' },
  { path: '/v1/pets', headers: { Authorization: 'Bearer none' } },
]
/** Headers that differ between HTTP servers. */
const ofTheServer = [
  ...['connection', 'date', 'keep-alive', 'content-type', 'x-ratelimit-reset'],
  ...['etag', 'x-powered-by'],
]

interface Asked {
  readonly path: string
  readonly method?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Line {
  readonly msg: string
  readonly status: number
}

/** Rejected by peers that validate. */
const invalid = [
  { path: '/v1/pets?limit=1000' },
  { path: '/v1/pets?other=1' },
  { path: '/v1/pets/none' },
  { path: '/v1/pets', method: 'POST', body: '{"name":"Rex","categoryId":"7"}' },
  { path: '/v1/pets', method: 'POST', body: '{"name":"Rex","categoryId":7,"id":1}' },
]

/** Creates a database in which two animals, which no first page has, break the contract. */
async function createBrokenDatabase(): Promise<Database> {
  const database = await createDatabase(createTemporaryFolder(), 50)
  return {
    ...database,
    copy() {
      const url = database.copy()
      const connection = new DatabaseSync(url.replace('sqlite:', ''))
      connection.exec("UPDATE animals SET name = '' WHERE id IN (45, 48)")
      connection.close()
      return url
    },
  }
}

/** Starts a peer on a copy of a store. */
async function startPeer({ program }: Peer, { copy, key }: Database) {
  const folder = createTemporaryFolder()
  const { port, stop } = await startServer({ program, folder, database: copy() })
  onTestFinished(stop)
  const usual = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'X-Request-Id': 'the-same-for-all',
  }
  async function ask({ path, headers, ...init }: Asked) {
    const url = `http://127.0.0.1:${port}${path}`
    const response = await fetch(url, { ...init, headers: { ...usual, ...headers } })
    const fields = [...response.headers].filter(([name]) => !ofTheServer.includes(name))
    const reset = Number(response.headers.get('x-ratelimit-reset'))
    expect(reset * 1000).toBeGreaterThan(Date.now() - 1000)
    const [mediaType] = response.headers.get('content-type')?.split(';') ?? []
    const { status } = response
    const body: unknown = await response.json()
    return { status, mediaType, fields: Object.fromEntries(fields), body }
  }
  function lines(): Line[] {
    const [log = ''] = readdirSync(folder)
    const text = readFileSync(join(folder, log), 'utf8')
    return text
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => ({ ...JSON.parse(line), time: '', milliseconds: 0 }))
      .filter(({ msg, status }) => msg === 'request completed' && status < 400)
  }
  return { ask, lines }
}

async function expectValidation({ name }: Peer, ask: (one: Asked) => Promise<{ status: number }>) {
  for (const one of invalid) expect((await ask(one)).status, `${name}: ${one.path}`).toBe(400)
  for (const path of ['/v1/pets?limit=50', '/v1/pets/45', '/v1/pets/48']) {
    expect((await ask({ path })).status, `${name}: ${path}`).toBe(500)
  }
}

test('every peer sends the responses and writes the log lines of the service; those that validate reject the same', async () => {
  const database = await createBrokenDatabase()
  const ours = await startPeer(service, database)
  const expected = []
  for (const one of asked) expected.push(await ours.ask(one))
  expect(expected.map(({ status }) => status)).toEqual([200, 200, 200, 201, 201, 201, 404, 401])
  await expect.poll(ours.lines).toHaveLength(6)
  for (const peer of [nodeHttp, fastify, express, expressValidator]) {
    const theirs = await startPeer(peer, database)
    for (const [index, one] of asked.entries()) {
      expect(await theirs.ask(one), `${peer.name}: ${one.path}`).toEqual(expected[index])
    }
    await expect.poll(theirs.lines).toEqual(ours.lines())
    if (peer === fastify || peer === expressValidator) await expectValidation(peer, theirs.ask)
  }
  await expectValidation(service, ours.ask)
})
