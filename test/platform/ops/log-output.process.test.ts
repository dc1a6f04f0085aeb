import { expect, test } from 'vitest'
import { findFreePort } from '../../helpers/free-port.ts'
import { fixtureProject, startCommand, startProgram } from '../../helpers/program.ts'

test('a paused reader of the log stops no request', async () => {
  const env = {
    PORT: '0',
    DATABASE_URL: 'sqlite::memory:',
    NODE_ENV: 'production',
    // A request that is rejected because of overload has no line.
    OVERLOAD_WAIT_MS: '60000',
  }
  const program = startProgram('server/main.ts', [], { env })
  const [origin] = await program.waitForOutput(/http:\/\/127[^/"]+/)
  program.stdout.pause()
  // More than the system buffers for a reader, and more than the service keeps in memory.
  const ask = (id: string) =>
    fetch(`${origin}/nothing/${'a'.repeat(100)}`, { headers: { 'X-Request-Id': id } })
  for (let round = 0; round < 80; round++) {
    const asking = Array.from({ length: 50 }, () => ask('a'.repeat(100)))
    for (const response of await Promise.all(asking)) {
      await response.arrayBuffer()
    }
  }
  expect((await fetch(`${origin}/livez`)).status).toBe(200)
  program.stdout.resume()
  // Lines are dropped until those that wait are written.
  const saidAfterAsking = async () => {
    await ask('after-all-that')
    return program.outputSoFar()
  }
  await expect.poll(saidAfterAsking).toContain('"requestId":"after-all-that"')
  expect((await program.kill('SIGTERM')).status).toBe(0)
})

test('in a terminal a request is a line for people that cannot steer the terminal', async () => {
  const port = `${await findFreePort()}`
  const SERVICE = `${process.execPath} server/main.ts`
  const usual = { DATABASE_URL: 'sqlite::memory:', OPS_PORT: 'off', NO_COLOR: '1' }
  const env = { ...usual, PORT: port, SERVICE }
  const line = 'exec script -qefc "exec $SERVICE" /dev/null'
  const program = startCommand('/bin/sh', ['-c', line], { cwd: fixtureProject(), env })
  await program.waitForOutput(/http:\/\/127/)
  const headers = { 'X-Request-Id': 'my-request-1' }
  for (const path of ['/openapi.json', '/nothing/%1b%5b2J']) {
    await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  }
  const [lines] = await program.waitForOutput(
    /^.*INFO.*GET \/openapi[\s\S]*GET \/nothing.*my-request-1/m,
  )
  const plain = lines.split('\r\n')
  expect(plain.at(0)).toMatch(
    /^\[.*\] INFO.*: request completed GET \/openapi\.json 200 in \S+ ms my-request-1$/,
  )
  expect(plain.at(-1)).toMatch(/GET \/nothing\/%1b%5b2J 404 in .* ms not_found my-request-1$/)
})
