import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../support/service-process.ts'
import { createTemporaryFolder } from '../support/temporary-folder.ts'

const preload = new URL('../support/unexpected-error.ts', import.meta.url).href

test.for(['a timer that throws', 'a promise that rejects', 'an error event that nobody hears'])(
  'after %s the running request is answered, and the process ends with status 1',
  async (fault) => {
    const file = join(createTemporaryFolder(), 'store.sqlite')
    const service = await startServiceProcess(file, {
      LOG_LEVEL: 'fatal',
      NODE_OPTIONS: `--import=${preload}`,
      FAULT: fault,
    })
    const body = new TransformStream<Uint8Array, Uint8Array>()
    const writer = body.writable.getWriter()
    const write = (text: string) => writer.write(new TextEncoder().encode(text))
    const request: RequestInit & { duplex: 'half' } = {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${await service.firstKey()}`,
        'Content-Type': 'application/json',
      },
      body: body.readable,
      duplex: 'half',
    }
    const running = fetch(`${service.origin}/v1/pets`, request)
    await write('{"name":"Rex",')
    // So that the service has seen the beginning of the request.
    await fetch(`${service.origin}/livez`)
    void service.program.kill('SIGUSR2')
    for (let status = 200; status !== 503; ) {
      ;({ status } = await fetch(`${service.origin}/readyz`))
    }
    // Another one, in the wake of the first.
    void service.program.kill('SIGUSR2')
    await write('"categoryId":7}')
    await writer.close()
    expect((await running).status).toBe(201)
    const { status, complaint, output } = await service.program.ended
    expect({ status, complaint }).toEqual({ status: 1, complaint: '' })
    const lines = output.split('\n').filter((line) => line.includes('"level":"fatal"'))
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { message: 'nobody expected this' } })
    const reader = new DatabaseSync(file, { readOnly: true })
    expect(reader.prepare('SELECT name FROM animals').all()).toEqual([{ name: 'Rex' }])
    reader.close()
  },
)

test('a log that cannot be written to stops nothing, a fatal line included', () => {
  const log = new URL('../../server/ops/log.ts', import.meta.url).href
  const program = `import { createLog } from '${log}'
    const log = createLog('info')
    for (let line = 0; line < 100; line++) log.error('lost')
    log.fatal('lost')
    process.stderr.write('went on')`
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
    timeout: 20_000,
  })
  closeSync(full)
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'went on' })
})
