import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runInShell, startCommand, startProgram } from '../../helpers/program.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

function freshFile(): string {
  return join(createTemporaryFolder(), 'store.sqlite')
}

test('the first start prints addresses, the first API key and a curl line that works', async () => {
  const { program, origin, firstKey } = await startServiceProcess(freshFile(), { OPS_PORT: '0' })
  const key = await firstKey()
  const [line] = await program.says(/curl .+/)
  expect(line).toBe(`curl -H 'Authorization: Bearer ${key}' ${origin}/v1/pets`)
  const shell = await runInShell(line.replace('curl', 'curl --silent --show-error --include'))
  expect(shell).toMatchObject({ status: 0, complaint: '' })
  expect(shell.output).toMatch(/^HTTP\/1.1 200 /)
  expect(shell.output).toMatch(/\r\n\r\n\[\]$/)

  const { output, complaint } = await program.kill('SIGTERM')
  expect(complaint).toBe('')
  const links = output.match(/http:\S+/g)
  const paths = ['/v1', '/docs', '/openapi.json', '/openapi.yaml', '/livez', '/readyz']
  const metrics = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/metrics$/)
  expect(links).toEqual([...paths.map((path) => origin + path), metrics, `${origin}/v1/pets`])
  // Once in a line of its own, and once in the line to paste.
  expect(output.split(key)).toHaveLength(3)
})

test('every address that the start prints responds with 200', async () => {
  const { program, origin } = await startServiceProcess(freshFile(), { OPS_PORT: '0' })
  const [metrics] = await program.says(/http:\S+\/metrics/)
  expect((await fetch(metrics)).status).toBe(200)
  for (const path of ['/docs', '/openapi.json', '/openapi.yaml', '/livez', '/readyz']) {
    expect((await fetch(origin + path)).status, path).toBe(200)
  }
})

test('the second start on the same store prints no key, and the first key still works', async () => {
  const file = freshFile()
  const first = await startServiceProcess(file)
  const key = await first.firstKey()
  await first.program.kill('SIGTERM')
  const { program, origin } = await startServiceProcess(file)
  const headers = { Authorization: `Bearer ${key}` }
  expect((await fetch(`${origin}/v1/pets`, { headers })).status).toBe(200)
  const { output } = await program.kill('SIGTERM')
  expect(output).not.toContain('ask_')
  expect(output.trimEnd().split('\n')).toHaveLength(4)
})

test('with NODE_ENV=production the first start makes no API key', async () => {
  const { program, origin } = await startServiceProcess(freshFile(), { NODE_ENV: 'production' })
  expect((await fetch(`${origin}/v1/pets`)).status).toBe(401)
  const { output, complaint } = await program.kill('SIGTERM')
  expect(output + complaint).not.toContain('ask_')
})

test('without a DATABASE_URL the store is in the folder data of where it was started', async () => {
  const cwd = createTemporaryFolder()
  const program = startProgram('server/main.ts', [], { cwd, env: { PORT: '0', DATABASE_URL: '' } })
  await program.says(/curl/)
  expect(existsSync(join(cwd, 'data/animal-store.sqlite'))).toBe(true)
  await program.kill('SIGTERM')
})

test('a limit of open files below MAX_CONNECTIONS is logged once, and /livez still responds', async () => {
  const env = { PORT: '0', OPS_PORT: '0', DATABASE_URL: `sqlite:${freshFile()}` }
  const line = 'ulimit -n 200; exec "$0" server/main.ts'
  const { says, kill } = startCommand('/bin/sh', ['-c', line, process.execPath], env)
  const [, origin = ''] = await says(/(http:\S+)\/v1\n/)
  const [metrics] = await says(/http:\S+\/metrics/)
  const { hostname, port } = new URL(origin)
  for (let opened = 0; opened < 250; opened++) {
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    await new Promise((settled) => socket.once('connect', settled).once('close', settled))
  }
  expect((await fetch(new URL('/livez', metrics))).status).toBe(200)
  const { output } = await kill('SIGTERM')
  const lines = [...output.matchAll(/^\{"level".*$/gm)].map(([line]) => JSON.parse(line))
  expect(lines.filter(({ msg }) => /open files/.test(msg))).toMatchObject([
    { level: 'warn', msg: expect.stringMatching(/ 200 .*MAX_CONNECTIONS=4000.*ulimit -n/) },
  ])
})
