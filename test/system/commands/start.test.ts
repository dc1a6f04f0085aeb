import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freshFile } from '../../helpers/keys-command.ts'
import { runInShell, startCommand, startProgram } from '../../helpers/program.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'
import { createTemporaryFolder } from '../../helpers/temporary-folder.ts'

test('the first start alone prints an API key, with addresses that respond and a curl line that works', async () => {
  const file = freshFile()
  const first = await startServiceProcess(file, { OPS_PORT: '0' })
  const { program, origin } = first
  const key = await first.firstKey()
  const [line] = await program.says(/curl .+/)
  expect(line).toBe(`curl -H 'Authorization: Bearer ${key}' ${origin}/v1/pets`)
  const shell = await runInShell(line.replace('curl', 'curl --silent --show-error --include'))
  expect(shell).toMatchObject({ status: 0, complaint: '' })
  expect(shell.output).toMatch(/^HTTP\/1.1 200 /)
  expect(shell.output).toMatch(/\r\n\r\n\[\]$/)

  const links = program.said().match(/http:\S+/g) ?? []
  const paths = ['/docs', '/openapi.json', '/openapi.yaml', '/livez', '/readyz']
  const metrics = expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*\/metrics$/)
  const operations = paths.map((path) => origin + path)
  expect(links).toEqual([`${origin}/v1`, ...operations, metrics, `${origin}/v1/pets`])
  for (const link of links.slice(1, -1)) expect((await fetch(link)).status, link).toBe(200)
  const { output, complaint } = await program.kill('SIGTERM')
  expect(complaint).toBe('')
  // Once in a line of its own, and once in the line to paste.
  expect(output.split(key)).toHaveLength(3)

  const second = await startServiceProcess(file)
  const headers = { Authorization: `Bearer ${key}` }
  expect((await fetch(`${second.origin}/v1/pets`, { headers })).status).toBe(200)
  const again = await second.program.kill('SIGTERM')
  expect(again.output).not.toContain('ask_')
  expect(again.output.trimEnd().split('\n')).toHaveLength(4)
})

test('without a DATABASE_URL the store is in data/, and with NODE_ENV=production no API key is made', async () => {
  const cwd = createTemporaryFolder()
  const env = { PORT: '0', DATABASE_URL: '', NODE_ENV: 'production', LOG_LEVEL: 'silent' }
  const program = startProgram('server/main.ts', [], { cwd, env })
  const [, origin] = await program.says(/(http:\S+)\/v1\n/)
  expect(existsSync(join(cwd, 'data/animal-store.sqlite'))).toBe(true)
  expect((await fetch(`${origin}/v1/pets`)).status).toBe(401)
  const { output, complaint } = await program.kill('SIGTERM')
  expect(output + complaint).not.toContain('ask_')
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
    {
      level: 'warn',
      openFiles: 200,
      maxConnections: 126,
      action: expect.stringMatching(/ulimit -n\) to 4074/),
    },
  ])
})
