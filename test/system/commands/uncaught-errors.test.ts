import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { basePath } from '../../../generated/operations.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

const petsPath = `${basePath}/pets`

/** What an error in the code may look like. */
const errors = {
  'a timer throws': `setTimeout(() => { throw new Error('unexpected') }, 1)`,
  'a promise rejects': `Promise.reject(new Error('unexpected'))`,
}

/** Loaded before the service: at SIGUSR2 the code runs. */
const onSignal = (code: string) => `process.on('SIGUSR2', () => { ${code} })`

test.for(Object.entries(errors))(
  'when %s the running request gets its response, and the process ends with status 1',
  async ([, code]) => {
    const file = join(createTemporaryFolder(), 'store.sqlite')
    const service = await startServiceProcess(file, {
      LOG_LEVEL: 'fatal',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(onSignal(code))}`,
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
    const running = fetch(service.origin + petsPath, request)
    await write('{"name":"Rex",')
    // So that the service has received the beginning of the request.
    await fetch(`${service.origin}/livez`)
    void service.program.kill('SIGUSR2')
    for (let status = 200; status !== 503; ) {
      ;({ status } = await fetch(`${service.origin}/readyz`))
    }
    // Another one, while the service stops.
    void service.program.kill('SIGUSR2')
    await write('"categoryId":7}')
    await writer.close()
    expect((await running).status).toBe(201)
    const { status, complaint, output } = await service.program.ended
    expect({ status, complaint }).toEqual({ status: 1, complaint: '' })
    const lines = output.split('\n').filter((line) => line.includes('"level":"fatal"'))
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: { message: 'unexpected' } })
    const reader = new DatabaseSync(file, { readOnly: true })
    expect(reader.prepare('SELECT name FROM animals').all()).toEqual([{ name: 'Rex' }])
    reader.close()
  },
)
