import { expect, test } from 'vitest'
import { createApiKey } from '../../server/access/api-key.ts'
import { runInShell, startProgram } from '../support/program.ts'

test('npm run mock says where it is, and its curl line works', async () => {
  const env = { PORT: '0', LOG_LEVEL: 'silent' }
  const program = startProgram('server/commands/mock.ts', [], { env })
  const [line] = await program.says(/curl .+/)
  const shell = await runInShell(line.replace('curl', 'curl --silent --show-error --include'))
  expect(shell).toMatchObject({ status: 0, complaint: '' })
  expect(shell.output).toMatch(/^HTTP\/1.1 200 /)

  const [url = ''] = /http:\S+$/.exec(line) ?? []
  const headers = { Authorization: `Bearer ${createApiKey()}` }
  expect((await fetch(url, { headers })).status).toBe(200)
  expect(await program.kill('SIGTERM')).toMatchObject({ status: 0, complaint: '' })
})

test('a wrong variable ends it with a line and status 1', async () => {
  const ended = await startProgram('server/commands/mock.ts', [], { env: { PORT: 'x' } }).ended
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).toMatch(/^PORT is "x"\. Allowed: .*\n$/)
})
