import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { respond } from '../../../server/contract/handler-response.ts'
import description from '../../fixture-api/generated/openapi.json' with { type: 'json' }
import { readDescription, toObject } from '../../helpers/conformance/description.ts'
import { createPostgresDatabase } from '../../helpers/databases/postgres-database.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { findFreePort, listen } from '../../helpers/free-port.ts'
import { createKeysCommand } from '../../helpers/keys-command.ts'
import { expectSuccess } from '../../helpers/npm-script.ts'
import { needCommand, project, startCommand } from '../../helpers/program.ts'
import { openSocket } from '../../helpers/raw.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'
import { createToolClient, storedTools } from '../../helpers/tools.ts'
import { startStreams } from '../content/support/stream-service.ts'
import { createRedisServer } from '../faults/support/redis-server.ts'

const balancerFile = join(project, 'deploy/haproxy.cfg')

/**
 * Starts HAProxy with the deployed configuration, but for its ports and the addresses of the instances,
 * which are named i0, i1 and so on. Resolves once it responds; `waitForOutput` waits for a line about
 * their state.
 */
async function startBalancer(instances: readonly string[], edit = (text: string) => text) {
  const port = await findFreePort()
  const metricsPort = await findFreePort()
  const servers = instances.map((origin, index) => `server i${index} ${new URL(origin).host}`)
  const text = readFileSync(balancerFile, 'utf8')
  const local = text
    .replace(/^( *)bind :8080$/m, `$1bind 127.0.0.1:${port}`)
    .replace(/^( *)bind :8405$/m, `$1bind 127.0.0.1:${metricsPort}`)
    .replaceAll(/^( *)server-template .*$/gm, servers.map((server) => `$1${server}`).join('\n'))
  const file = join(createTemporaryFolder(), 'haproxy.cfg')
  writeFileSync(file, edit(local))
  const { waitForOutput } = startCommand('haproxy', ['-db', '-f', file])
  const origin = `http://127.0.0.1:${port}`
  await expect.poll(() => fetch(`${origin}/livez`)).toMatchObject({ status: 200 })
  return { origin, waitForOutput }
}

/**
 * Starts an instance that responds to health checks and leaves every other request to the test; resolves
 * with its origin.
 */
async function startInstance(respond: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/livez' || request.url === '/readyz') {
      response.end()
    } else {
      respond(request, response)
    }
  })
  return `http://127.0.0.1:${await listen(server)}`
}

beforeEach((context) => void needCommand(context, 'haproxy'))

test('HAProxy accepts its configuration', async () => {
  await expectSuccess(startCommand('haproxy', ['-c', '-f', balancerFile]).ended)
})

test('the last address in X-Forwarded-For, the protocol and the host are those that the balancer saw, not what a caller claims', async () => {
  const instance = await startInstance(({ headers }, response) => {
    const fields = ['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-for']
    response.end(fields.map((name) => headers[name]).join(' '))
  })
  const { origin } = await startBalancer([instance])
  const headers = {
    'X-Forwarded-For': '192.0.2.1',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'evil.example',
  }
  const received = await (await fetch(`${origin}${tools}`, { headers })).text()
  const { host } = new URL(origin)
  expect(received).toBe(`http ${host} 192.0.2.1, 127.0.0.1`)
})

test('rolling restart: instances on PostgreSQL and Redis are replaced one after the other, and no request fails', async (context) => {
  const db = await createPostgresDatabase()
  const { url } = db
  const redis = await createRedisServer(context)
  await redis.start()
  const environment = { TRUST_PROXY: '1', DATABASE_URL: url, REDIS_URL: redis.url }
  const start = (PORT: number) => startServiceProcess({ ...environment, PORT: `${PORT}` })
  const ports = [await findFreePort(), await findFreePort()] as const
  const instances = [await start(ports[0]), await start(ports[1])] as const
  const limits = ['--per-minute', '1000000', '--per-day', '1000000']
  const { key } = await createKeysCommand(url).make('issue', '--plan', 'union', ...limits)
  const { origin, waitForOutput } = await startBalancer(instances.map((each) => each.origin))
  let isOver = false
  const created: number[] = []
  const client = createToolClient(origin, key)
  const load = async (): Promise<void> => {
    while (!isOver) {
      created.push((await client.create('Ryoba')).id)
      await client.list()
      await wait(20)
    }
  }
  // An instance ends when it gets no requests for a while, which a balancer on a busy machine must not cause.
  const loads = Promise.all([load(), load(), load(), load(), load(), load()])
  onTestFinished(async () => {
    isOver = true
    await loads.catch(() => undefined)
  })
  for (const index of [0, 1] as const) {
    // As an operator does: the next one takes the place of the one that ended.
    await expectSuccess(instances[index].program.kill('SIGTERM'))
    await waitForOutput(new RegExp(`Server ready/i${index} is DOWN`))
    await start(ports[index])
    await waitForOutput(new RegExp(`Server ready/i${index} is UP`))
  }
  isOver = true
  await loads
  const stored = await storedTools(db)
  expect(stored.map(({ id }) => id)).toEqual(created.toSorted((a, b) => a - b))
}, 120_000)

test('a request that an instance cut off, or to a frozen one, is repeated if it is a read, or has an Idempotency-Key and credentials; others get 502 or 504', async () => {
  const seen = new Set<string>()
  const instance = await startInstance(({ url = '', socket }, response) => {
    if (seen.has(url)) {
      response.end()
    } else if (url.startsWith('/cut')) {
      socket.destroy()
    }
    seen.add(url)
  })
  const { origin } = await startBalancer([instance])
  const create = { method: 'POST', body: '{}' }
  const key = { 'Idempotency-Key': 'once' }
  const keyed = { ...create, headers: { ...key, Authorization: 'Bearer token' } }
  const anonymous = { ...create, headers: key }
  const sent = ['cut', 'frozen'].flatMap((how) => [
    fetch(`${origin}/${how}/read`),
    fetch(`${origin}/${how}/keyed`, keyed),
    fetch(`${origin}/${how}/create`, create),
    fetch(`${origin}/${how}/anonymous`, anonymous),
  ])
  const responses = await Promise.all(sent)
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 502, 502, 200, 200, 504, 504])
  await Promise.all(responses.filter(({ ok }) => !ok).map(expectError))
})

/** The number of `maxconn` in haproxy.cfg. */
const slots = 32

const { root, resolve, responseErrors } = readDescription(description)
const { headers } = resolve(root['x-framing-response'])
const { schema: requestIdSchema } = resolve(toObject(headers)['X-Request-Id'])
const errorSchema = { $ref: '#/components/schemas/Error' }
const isError = (value: unknown) => responseErrors(errorSchema, value).length === 0
const isRequestId = (value: unknown) => responseErrors(requestIdSchema, value).length === 0

/** Expects a response of the balancer for a service that is unavailable. */
async function expectError(response: Response): Promise<void> {
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('x-request-id')).toSatisfy(isRequestId)
  const body = await response.json()
  expect(body).toSatisfy(isError)
  expect(body).toMatchObject({ status: response.status, code: 'unavailable' })
}

test('requests beyond maxconn that wait too long in the queue get 503 with Retry-After, as an Error object', async () => {
  const held: ServerResponse[] = []
  const instance = await startInstance((_, response) => held.push(response))
  const { origin } = await startBalancer([instance])
  const rejected: Response[] = []
  const all = Array.from({ length: slots + 8 }, async () => {
    const response = await fetch(`${origin}${tools}`)
    if (response.status === 503) {
      rejected.push(response)
    }
    return response.status
  })
  await expect.poll(() => [rejected.length, held.length]).toEqual([8, slots])
  for (const response of held) {
    response.end()
  }
  const statuses = (await Promise.all(all)).toSorted()
  expect(statuses).toEqual([...Array(slots).fill(200), ...Array(8).fill(503)])
  await Promise.all(rejected.map(expectError))
  for (const { headers } of rejected) {
    expect(headers.get('retry-after')).toMatch(/^[1-4]$/)
  }
})

test('every error response of the balancer is an Error object with a request ID', async () => {
  const listed = readFileSync(balancerFile, 'utf8').matchAll(
    /^ *http-error status (\d+) content-type application\/json string '(.*?)'/gm,
  )
  const bodies = [...listed].map(([, status, text = '']) => {
    const body: { readonly status: number } = JSON.parse(text)
    return { status, body }
  })
  expect(bodies.map(({ status }) => status)).toEqual(['400', '408', '500', '502', '503', '504'])
  for (const { status, body } of bodies) {
    expect(body).toSatisfy(isError)
    expect(body.status).toBe(Number(status))
  }
  const instance = await startInstance(({ socket }) => socket.end('no HTTP\r\n\r\n'))
  const { origin } = await startBalancer([instance])
  const send = (id: string) => fetch(`${origin}${tools}`, { headers: { 'X-Request-Id': id } })
  const named = await send('my-own-request-1')
  expect([named.status, named.headers.get('x-request-id')]).toEqual([502, 'my-own-request-1'])
  await expectError(await send('not/a/request/id'))
})

test('streams take no slots of other requests, their items arrive at once, and comments keep an idle one open', async () => {
  async function* items(signal: AbortSignal | undefined) {
    yield { data: 'first' }
    await once(new EventTarget(), 'never', { signal })
  }
  const service = await startStreams(
    [
      ['texts', (_input, { signal }) => respond(200, items(signal))],
      ['bytes', () => respond(200, Buffer.from('a'))],
    ],
    { STREAM_KEEP_ALIVE_SECONDS: '1', TRUST_PROXY: '1' },
  )
  const shorten = (text: string) =>
    text.replaceAll(/timeout (client|server) \d+s/g, 'timeout $1 3s')
  const { origin } = await startBalancer([service.origin], shorten)
  const usual = `Host: a\r\nAuthorization: Bearer ${service.apiKey}\r\n`
  const all = Array.from({ length: slots + 8 }, () => {
    const socket = openSocket(origin)
    const stream = { socket, received: '' }
    socket.setEncoding('latin1').on('data', (chunk) => {
      stream.received += chunk
    })
    socket.write(`GET /v1/0 HTTP/1.1\r\n${usual}Accept: text/event-stream\r\n\r\n`)
    return stream
  })
  const count = (text: string) => all.filter(({ received }) => received.includes(text)).length
  await expect.poll(() => count('data: first\n\n'), { timeout: 20_000 }).toBe(all.length)
  const headers = { Authorization: `Bearer ${service.apiKey}` }
  expect((await fetch(`${origin}/v1/1`, { headers })).status).toBe(200)

  // Longer than the timeouts of the balancer.
  await wait(5_000)
  expect(all.filter(({ socket }) => socket.closed)).toEqual([])
  expect(count('\n:\n')).toBe(all.length)
}, 60_000)
