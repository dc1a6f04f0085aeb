import { chmodSync, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createKeysCommand, freshFile } from '../../helpers/keys-command.ts'
import { runInShell, startProgram } from '../../helpers/program.ts'
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

const endings = ['', '-wal', '-shm']

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** Starts the service on a file, reads the permissions, and stops it by a signal. */
async function expectRestricted(file: string, signal: NodeJS.Signals): Promise<void> {
  const { program } = await startServiceProcess(file)
  for (const ending of endings) expect(modeOf(file + ending), ending).toBe('600')
  await program.kill(signal)
}

test('the service creates the store with 0600 in folders with 0700, and changes files that others can read', async () => {
  const file = freshFile()
  await expectRestricted(file, 'SIGKILL')
  expect([dirname(file), dirname(dirname(file))].map(modeOf)).toEqual(['700', '700'])
  for (const ending of endings) chmodSync(file + ending, 0o644)
  await expectRestricted(file, 'SIGTERM')
})

test('a command changes the permissions of the store to 0600 as well', async () => {
  const file = freshFile()
  const keys = createKeysCommand(file)
  await keys.run('list')
  chmodSync(file, 0o640)
  expect(await keys.run('list', '--json')).toMatchObject({ status: 0, output: '[]\n' })
  expect(modeOf(file)).toBe('600')
})
