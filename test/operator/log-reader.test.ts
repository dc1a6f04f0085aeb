import { expect, test } from 'vitest'
import { startProgram } from '../support/program.ts'

test('a reader of the log that stands still stops nobody', async () => {
  const env = { PORT: '0', DATABASE_URL: 'sqlite::memory:', NODE_ENV: 'production' }
  const program = startProgram('server/main.ts', [], { env })
  const [origin] = await program.says(/http:\/\/127[^/"]+/)
  program.pauseReading()
  // More than the system keeps for a reader, and more than waits in memory.
  const path = `/nothing/${'a'.repeat(1_500)}`
  for (let round = 0; round < 40; round++) {
    const asking = Array.from({ length: 50 }, () => fetch(origin + path))
    for (const response of await Promise.all(asking)) await response.arrayBuffer()
  }
  const signal = AbortSignal.timeout(10_000)
  expect((await fetch(`${origin}/livez`, { signal })).status).toBe(200)
  program.readOn()
  expect((await program.kill('SIGTERM')).status).toBe(0)
})
