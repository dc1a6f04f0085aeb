import { expect, test } from 'vitest'
import { openCrowd, overload, startOnClock } from '../support/overload.ts'
import { exchangeBytes } from '../support/raw.ts'

test('where every request waits too long, others are refused at once, probes are answered, and then it recovers', async () => {
  const started = await startOnClock()
  const { service } = started
  const load = await overload(started)
  const refused = await service.send('/v1/pets')
  const probes = await Promise.all(['/livez', '/readyz'].map((path) => service.send(path)))
  const served = await load.end()

  expect(refused.status).toBe(503)
  const seconds = refused.headers.get('retry-after')
  expect(seconds).toMatch(/^[1-4]$/)
  expect(await refused.json()).toEqual({
    code: 'unavailable',
    message: `The service is overloaded. Retry in ${seconds} second${seconds === '1' ? '' : 's'}.`,
    status: 503,
  })
  expect(probes.map(({ status }) => status)).toEqual([200, 200])
  // The one that had its turn, one that waited for too long, and one that came after it.
  expect(served).toEqual([200, 503, 200])
  // A burst is a burst again.
  const crowd = await openCrowd(service, 20)
  started.clock.step = 20
  expect(await crowd.send()).toEqual(Array(20).fill(200))
})

test('a refusal has every header that the contract and the caller expect', async () => {
  const origin = 'https://app.example'
  const started = await startOnClock({ CORS_ORIGINS: origin, TRUST_PROXY: '1' })
  const { service } = started
  // Of an address that has used up some of its limit.
  const proxied = { 'X-Forwarded-For': '203.0.113.7, 192.0.2.1' }
  await service.send('/v1/pets', { headers: proxied })
  const load = await overload(started)
  const headers = { ...proxied, Origin: origin, 'X-Request-Id': 'my-own-request' }
  const [got, head, page] = [
    await service.send('/v1/pets/1', { headers }),
    await service.send('/v1/pets', { method: 'HEAD', headers }),
    await service.send('/docs', { headers }),
  ]
  await load.end()
  expect([got.status, head.status, page.status]).toEqual([503, 503, 503])
  expect(Object.fromEntries(got.headers)).toMatchObject({
    'access-control-allow-origin': origin,
    'cache-control': 'no-store',
    deprecation: expect.stringMatching(/^@\d+$/),
    vary: 'Origin',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
    'x-request-id': 'my-own-request',
  })
  expect(head.headers.get('content-length')).not.toBeNull()
  expect(page.headers.has('x-ratelimit-limit')).toBe(false)
  const usual = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  expect(Object.fromEntries(page.headers)).toMatchObject(usual)
})

test('probes are known by their whole path, however it is written', async () => {
  const started = await startOnClock()
  const load = await overload(started)
  const statusOf = async (target: string) => {
    const bytes = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
    return (await exchangeBytes(started.service.origin, bytes)).status
  }
  const probes = await Promise.all(['/readyz?a=b', '/livez?', 'http://a/readyz'].map(statusOf))
  const others = await Promise.all(['/readyzz', '/livez/x', '/v1/livez'].map(statusOf))
  await load.end()
  expect(probes).toEqual([200, 200, 200])
  expect(others).toEqual([503, 503, 503])
})

test('what is misframed is refused for that', async () => {
  const started = await startOnClock()
  const load = await overload(started)
  const twoHosts = 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'
  const { status, headers } = await exchangeBytes(started.service.origin, twoHosts)
  await load.end()
  expect({ status, connection: headers['connection'] }).toEqual({
    status: 400,
    connection: 'close',
  })
})

test('connections that were refused too often to be answered at once are answered a little later', async () => {
  const started = await startOnClock()
  const { service } = started
  const load = await overload(started)
  const askAll = () => Promise.all(Array.from({ length: 300 }, () => service.send('/v1/pets')))
  const refused = await askAll()
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]))
  await load.end()
  const served = await askAll()
  expect(new Set(served.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a burst and a long pause in the middle of it refuse nobody', async () => {
  const { service, clock } = await startOnClock()
  await service.client.listPets()
  const { send } = await openCrowd(service, 100)
  clock.step = 1
  const crowd = send()
  await fetch(`${service.origin}/livez`)
  clock.time += 60_000
  const others = Array.from({ length: 20 }, () => service.send('/v1/pets'))
  expect(await crowd).toEqual(Array(100).fill(200))
  for (const { status } of await Promise.all(others)) expect(status).toBe(200)
})

test('whoever sends many on one connection delays nobody else', async () => {
  const { service, clock } = await startOnClock({ OVERLOAD_WAIT_MS: '60000' })
  await service.client.listPets()
  clock.step = 10
  const head = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.apiKey}\r\n`
  const last = `${head}Connection: close\r\n\r\n`
  let isOver = false
  const crowd = exchangeBytes(service.origin, `${head}\r\n`.repeat(99) + last).then((answer) => {
    isOver = true
    return answer
  })
  await service.client.listPets()
  expect(isOver).toBe(false)
  expect([...(await crowd).text.matchAll(/HTTP\/1\.1 200/g)]).toHaveLength(100)
})
