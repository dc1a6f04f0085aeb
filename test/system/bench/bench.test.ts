import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase, parts, peers } from '../../../bench/parts.ts'
import { startServer } from '../../../bench/processes.ts'

test('docs/performance.md names the parts of a run', () => {
  const page = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')
  const named = [...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => name.slice(1, -1)),
  )
  expect(named).toEqual(Object.keys(parts))
})

const pet = JSON.stringify({ name: 'Rex', categoryId: 7, status: 'available' })
type Sent = readonly [path: string, body?: string, idempotencyKey?: string]
const requests: readonly Sent[] = [
  ['/v1/pets'],
  ['/v1/pets?limit=2&status=sold'],
  ['/v1/pets/3'],
  ['/v1/pets', pet],
  ['/v1/pets', pet, 'once'],
  ['/v1/pets', pet, 'once'],
  ['/v1/pets/99999'],
]
/** Rejected by peers that validate requests. */
const invalid: readonly Sent[] = [
  ['/v1/pets?limit=1000'],
  ['/v1/pets?other=1'],
  ['/v1/pets/none'],
  ['/v1/pets', '{"name":"Rex","categoryId":"7"}'],
  ['/v1/pets', '{"name":"Rex","categoryId":7,"id":1}'],
]
/** Headers of the HTTP server itself. */
const ofServer = [
  ...['connection', 'date', 'keep-alive', 'content-type', 'x-ratelimit-reset', 'etag'],
  ...['x-powered-by', 'vary'],
]

/** Starts a peer on a copy of a store in which one pet violates the contract. */
async function startPeer(program: string, url: string, apiKey: string) {
  using connection = new DatabaseSync(url.replace('sqlite:', ''))
  connection.exec("UPDATE animals SET name = '' WHERE id = 45")
  const { port, log, stop } = await startServer(program, { DATABASE_URL: url })
  onTestFinished(stop)
  const usual = {
    Authorization: `Bearer ${apiKey}`,
    ...{ 'Content-Type': 'application/json', 'X-Request-Id': 'the-same-for-all' },
  }
  async function send([path, body, key]: Sent) {
    const headers = { ...usual, ...(key && { 'Idempotency-Key': key }) }
    const content = body && { method: 'POST', body }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...content })
    const fields = [...response.headers].filter(([name]) => !ofServer.includes(name))
    return { status: response.status, fields, body: await response.json() }
  }
  const lines = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{') && line.includes('"status":2'))
      .map((line) => ({ ...JSON.parse(line), time: '', milliseconds: 0 }))
  return { send, lines }
}

test('every peer sends the responses and writes the access log of the service; those that validate reject the same', async () => {
  const { copy, key } = await createDatabase()
  const expected: unknown[] = []
  let log: unknown[] = []
  for (const [name, program] of Object.entries(peers)) {
    const { send, lines } = await startPeer(program, copy(), key)
    for (const [index, sent] of requests.entries()) {
      const response = await send(sent)
      expected[index] ??= response
      expect(response, `${name}: ${sent[0]}`).toEqual(expected[index])
    }
    await expect.poll(lines).toHaveLength(6)
    if (log.length === 0) log = lines()
    expect(lines()).toEqual(log)
    if (name.endsWith('no validation')) continue
    for (const sent of invalid) expect((await send(sent)).status, name + sent[0]).toBe(400)
    expect((await send(['/v1/pets/45'])).status, name).toBe(500)
  }
})
