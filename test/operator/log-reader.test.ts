import { expect, test } from 'vitest'
import { startProgram } from '../support/program.ts'

test('a reader of the log that stands still stops nobody, and is told how much it missed', async () => {
  const env = {
    ...{ PORT: '0', DATABASE_URL: 'sqlite::memory:', NODE_ENV: 'production' },
    // What an overload refuses has no line.
    OVERLOAD_WAIT_MS: '60000',
  }
  const program = startProgram('server/main.ts', [], { env })
  const [origin] = await program.says(/http:\/\/127[^/"]+/)
  program.pauseReading()
  // More than the system keeps for a reader, and more than waits in memory.
  const ask = (id: string) =>
    fetch(`${origin}/nothing/${'a'.repeat(100)}`, { headers: { 'X-Request-Id': id } })
  for (let round = 0; round < 80; round++) {
    const asking = Array.from({ length: 50 }, () => ask('a'.repeat(100)))
    for (const response of await Promise.all(asking)) await response.arrayBuffer()
  }
  const signal = AbortSignal.timeout(10_000)
  expect((await fetch(`${origin}/livez`, { signal })).status).toBe(200)
  program.readOn()
  await program.says(/"dropped":\d+,"msg":"\d+ lines of the log were dropped/)
  await ask('after-all-that')
  await program.says(/"requestId":"after-all-that"/)
  expect((await program.kill('SIGTERM')).status).toBe(0)
})
