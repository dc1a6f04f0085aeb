import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { project, runProgram, startProgram } from '../../helpers/program.ts'
import type { EmptyStore } from '../../project/kept-store/kept-stores.ts'

/** A key; only a command that issues one shows it. */
interface IssuedKey {
  readonly id: string
  readonly key: string
}

/** What a filled store contains, and what a client knows of it. */
export type Contents = Awaited<ReturnType<typeof fillStore>>

/** Signs the cursors of every filled store, so that recorded requests may have cursors. */
const secret = 'ed10dbf3973b8e728f3ecd84aa6a85ca84e931261c4b574e9b8edaaec8e5c971'
/** The year 2126, for idempotency keys that are kept for a year at most. */
const farFuture = Date.UTC(2126, 0, 1)

const names = [
  ...['Rex', 'Mia', 'Ünïcödé', '犬', '🐶🐱', ' spaces ', '"quoted"', "o'hara; --", '\\u0001'],
  'x'.repeat(1_000),
]
const statuses = [undefined, 'available', 'pending', 'sold']

/** The pets that are created one by one, in the order of their ids. */
const pets = Array.from({ length: 240 }, (_, index) => ({
  name: names[index % names.length],
  categoryId: index % 7 === 0 ? -Number.MAX_SAFE_INTEGER : index,
  status: statuses[index % statuses.length],
}))

/** Pages whose link to the next one is kept. */
const queries = ['limit=50', 'limit=10&status=available', 'limit=10&status=sold']

/** Pets that are created with an idempotency key. */
const idempotentCreates = [
  { key: 'order-1', caller: 'roomy', body: '{"name":"Once","categoryId":1}' },
  {
    key: '"quoted key"',
    caller: 'roomy',
    body: '{"name":"Twice","categoryId":2,"status":"sold"}',
  },
  { key: 'order-1', caller: 'free', body: '{"name":"Free","categoryId":3}' },
] as const

/** The number of pets in a file that is imported, of which only some are added to the store. */
export const importCount = 20_000
const importLines = Array.from({ length: importCount }, (_, index) =>
  JSON.stringify({ name: `Imported ${index}`, categoryId: index }),
)
/** The text of that file. */
export const importText = `${importLines.join('\n')}\n`

/** Statements that let an import end early, after 2,000 records, and that allow it again. */
const importStops = {
  sqlite: [
    `CREATE TRIGGER stop BEFORE UPDATE ON imports WHEN NEW.records > 2000
     BEGIN SELECT RAISE(ABORT, 'stop'); END`,
    'DROP TRIGGER stop',
  ],
  postgresql: [
    'ALTER TABLE imports ADD CONSTRAINT stop CHECK (records <= 2000)',
    'ALTER TABLE imports DROP CONSTRAINT stop',
  ],
} as const

/**
 * Fills a store with the programs of a checkout, as its users do: keys in every state, pets, idempotency
 * keys, and an import that ended early. The service is killed at the end, so that an SQLite database has
 * its write-ahead log.
 */
export async function fillStore(store: EmptyStore, checkout = project) {
  const run = createRun(store.url, checkout)
  const issued = await issueKeys(run)
  await store.execute(`UPDATE secrets SET value = ${printSecret(store)} WHERE name = 'cursor'`)

  const service = await run.startService()
  const { cursors, idempotent } = await createPets(service.origin, issued)
  // A service that stops writes the usage of the keys.
  await service.stop('SIGTERM')
  await store.execute(`UPDATE idempotency_keys SET expires_at = ${farFuture}`)

  const [stop, allow] = importStops[store.engine]
  await store.execute(stop)
  await run.importUntilStopped()
  await store.execute(allow)

  const killed = await run.startService()
  const keys = await endKeys(run, issued)
  await killed.stop('SIGKILL')
  return { keys, cursors, idempotent }
}

function printSecret({ engine }: EmptyStore): string {
  return engine === 'sqlite' ? `x'${secret}'` : `'\\x${secret}'`
}

type Run = ReturnType<typeof createRun>

/** Returns functions that run the programs of a checkout on a database. */
function createRun(url: string, checkout: string) {
  const { scripts }: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(checkout, 'package.json'), 'utf8'),
  )
  const options = {
    project: checkout,
    isShared: true,
    env: { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'silent', NODE_ENV: 'production' },
  }
  const fileOf = (script: string): string => {
    const [file = ''] = /\S+\.ts$/.exec(scripts[script] ?? '') ?? []
    return join(checkout, file)
  }

  return {
    /** Runs a command on the keys; returns the key that it prints. */
    async keys(...args: readonly string[]): Promise<IssuedKey> {
      const all = [...args, '--json']
      const { status, output, errorOutput } = await runProgram(fileOf('keys'), all, options)
      if (status !== 0) {
        throw new Error(`keys ${args.join(' ')} failed: ${errorOutput}`)
      }
      const { id, key }: IssuedKey = JSON.parse(output)
      return { id, key }
    },
    async startService() {
      const env = { ...options.env, IDEMPOTENCY_HOURS: '8760' }
      const program = startProgram(fileOf('start'), [], { ...options, env })
      const [, origin = ''] = await program.waitForOutput(/(http:\S+)\/v\d+\n/)
      return { origin, stop: program.kill }
    },
    async importUntilStopped(): Promise<void> {
      const folder = mkdtempSync(join(tmpdir(), 'import-'))
      const file = join(folder, 'pets.ndjson')
      writeFileSync(file, importText)
      const { status, output } = await runProgram(fileOf('import'), [file], options)
      rmSync(folder, { recursive: true })
      if (status === 0) {
        throw new Error(`The import did not end early: ${output}`)
      }
    },
  }
}

type Issued = Awaited<ReturnType<typeof issueKeys>>

/** Issues the keys; the key `expired` ends a few seconds later. */
async function issueKeys({ keys }: Run) {
  const unlimited = ['--per-minute', '1000000', '--per-day', '1000000']
  const roomy = await keys('issue', '--plan', 'enterprise', ...unlimited, '--name', 'Röomy "key"')
  const free = await keys('issue', '--plan', 'free', '--name', 'free')
  const expiry = new Date(Date.now() + 5_000).toISOString()
  return {
    roomy,
    free,
    expired: await keys('issue', '--plan', 'pro', '--name', 'expired', '--expires', expiry),
    pro: await keys('issue', '--plan', 'pro'),
    revoked: await keys('issue', '--plan', 'business', '--name', 'revoked'),
    rotated: await keys('issue', '--plan', 'business', '--name', 'rotated'),
    overlapping: await keys('issue', '--plan', 'business', '--name', 'overlapping'),
    expiry,
  }
}

/** Ends keys in every way that there is; returns all keys. */
async function endKeys({ keys }: Run, { expiry, ...issued }: Issued) {
  await keys('revoke', issued.revoked.id)
  const successor = await keys('rotate', issued.rotated.id)
  // For as long as this can be.
  const overlapSuccessor = await keys('rotate', issued.overlapping.id, '--overlap', '999999d')
  await wait(Math.max(0, Date.parse(expiry) - Date.now()))
  return { ...issued, successor, overlapSuccessor }
}

/** Creates the pets, one after the other; returns links to next pages, and repeatable requests. */
async function createPets(origin: string, { roomy, free }: Issued) {
  const callers = { roomy, free }
  const send = (path: string, { key }: IssuedKey, init: RequestInit = {}) => {
    const headers = { ...init.headers, Authorization: `Bearer ${key}` }
    return fetch(`${origin}/v1${path}`, { ...init, headers })
  }
  async function create(body: string, caller: IssuedKey, others: Record<string, string> = {}) {
    const headers = { ...others, 'Content-Type': 'application/json' }
    const response = await send('/pets', caller, { method: 'POST', headers, body })
    const text = await response.text()
    if (response.status !== 201) {
      throw new Error(`A create is ${response.status}: ${text}`)
    }
    return text
  }

  for (const pet of pets) {
    await create(JSON.stringify(pet), roomy)
  }
  const idempotent = []
  for (const { key, caller, body } of idempotentCreates) {
    const response = await create(body, callers[caller], { 'Idempotency-Key': key })
    idempotent.push({ key, caller, body, response })
  }

  const cursors = []
  for (const query of queries) {
    const response = await send(`/pets?${query}`, roomy)
    const page: readonly { readonly id: number }[] = await response.json()
    const [, next = ''] = /^<\/v1(.*)>; rel="next"$/.exec(response.headers.get('Link') ?? '') ?? []
    cursors.push({ query, next, lastId: page.at(-1)?.id ?? 0 })
  }
  return { cursors, idempotent }
}
