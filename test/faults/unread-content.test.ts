import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { whyNoPostgres } from '../support/places/postgres-server.ts'
import { startTestService } from '../support/service.ts'
import { list } from './support/asking.ts'
import { lockAnimals } from './support/locked-animals.ts'

beforeEach(({ skip }) => skip(whyNoPostgres !== undefined, whyNoPostgres))

test('a request that nobody reads the content of is one of those at once, though it never ends', async () => {
  const place = await createPostgresPlace()
  const service = await startTestService({ REQUESTS_AT_ONCE: '1' }, place)
  await list(service)
  const lock = await lockAnimals(place)
  const { hostname, port } = new URL(service.origin)
  const slow = connect(Number(port), hostname)
  onTestFinished(() => void slow.destroy())
  const head = `GET /v1/pets HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.apiKey}\r\n`
  slow.write(`${head}Content-Length: 5\r\n\r\n`)
  const first = new Promise((answered) => slow.once('data', () => answered('the first')))
  // So that it has come.
  await wait(200)
  // It asks the store for nothing.
  const second = service.send('/v1/nothing').then(() => 'the second')
  await wait(200)
  await lock.end()
  expect(await Promise.race([first, second])).toBe('the first')
  await second
})
