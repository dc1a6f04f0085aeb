import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startClients } from '../support/keep-alive-clients.ts'
import { startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

test('with 200 clients on it that keep their connections, it finishes every answer and ends with status 0', async () => {
  const file = join(createTemporaryFolder(), 'store.sqlite')
  // A stop that waited for the grace would take longer than a test may.
  const environment = { SHUTDOWN_GRACE_SECONDS: '60', RATE_LIMITS: 'off' }
  const service = await startServiceProcess(file, environment)
  const clients = startClients(service.origin, await service.firstKey(), { busy: 100, idle: 100 })
  await clients.everyoneAnswered()

  const ended = service.program.kill('SIGTERM')
  for (let status = 200; status !== 503; ) ({ status } = await fetch(`${service.origin}/readyz`))
  const seen = await clients.closed()
  expect(await ended).toMatchObject({ status: 0, complaint: '' })

  expect({ ...seen, created: 0 }).toEqual({ cutOff: 0, unanswered: 0, created: 0, last: 100 })
  const database = new DatabaseSync(file, { readOnly: true })
  const kept = database.prepare('SELECT count(*) AS number FROM animals').get()
  database.close()
  expect(kept).toEqual({ number: seen.created })
})
