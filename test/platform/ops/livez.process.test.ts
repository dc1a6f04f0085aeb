import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

/** Loaded before the service: on SIGUSR2 it blocks the main thread until there is a file. */
const blockOnSignal = (file: string) => `
  import { existsSync, writeSync } from 'node:fs'
  import { isMainThread } from 'node:worker_threads'
  const never = new Int32Array(new SharedArrayBuffer(4))
  if (isMainThread) process.on('SIGUSR2', () => {
    writeSync(1, 'blocked')
    while (!existsSync(${JSON.stringify(file)})) Atomics.wait(never, 0, 0, 20)
  })`

test('/livez on the OPS_PORT responds while the event loop is blocked: 503 once that takes too long', async () => {
  const release = join(createTemporaryFolder(), 'release')
  const preload = `data:text/javascript,${encodeURIComponent(blockOnSignal(release))}`
  const environment = { OPS_PORT: '0', NODE_OPTIONS: `--import ${preload}` }
  const { program } = await startServiceProcess(environment)
  const [, metricsUrl = ''] = await program.waitForOutput(/metrics are at +(\S+)\n/)
  const statusOf = async (path: string) => (await fetch(new URL(path, metricsUrl))).status
  expect(await statusOf('/livez')).toBe(200)
  void program.kill('SIGUSR2')
  await program.waitForOutput(/blocked/)
  expect(await statusOf('/nothing')).toBe(404)
  await expect.poll(() => statusOf('/livez')).toBe(503)
  writeFileSync(release, '')
  await expect.poll(() => statusOf('/livez')).toBe(200)
  expect(await statusOf('/metrics')).toBe(200)
  expect(await program.kill('SIGTERM')).toMatchObject({ status: 0 })
})
