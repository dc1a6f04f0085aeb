import { expect, test } from 'vitest'
import { createPostgresPlace } from '../support/places/postgres-place.ts'
import { whyNoPostgres } from '../support/places/postgres-server.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { startStallingProxy } from './support/stalling-proxy.ts'

test.for(['requests', 'answers'] as const)(
  'a service ends in order with PostgreSQL behind a network that swallows %s',
  async (what, { skip }) => {
    skip(whyNoPostgres !== undefined, whyNoPostgres)
    const { url } = await createPostgresPlace()
    const proxy = await startStallingProxy(url)
    const service = await startServiceProcess('', { DATABASE_URL: proxy.url })
    const headers = { Authorization: `Bearer ${await service.firstKey()}` }
    // At once, so that there are connections that nothing uses when it ends.
    const asked = Array.from({ length: 20 }, () => fetch(`${service.origin}/v1/pets`, { headers }))
    for (const { status } of await Promise.all(asked)) expect(status).toBe(200)
    proxy.stall(what)
    expect(await service.program.kill('SIGTERM')).toMatchObject({ status: 0, complaint: '' })
  },
)
