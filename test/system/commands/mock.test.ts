import { expect, test } from 'vitest'
import { runInShell, startProgram } from '../../helpers/program.ts'

test('npm run mock prints its address and a curl line that works', async () => {
  const env = { PORT: '0', LOG_LEVEL: 'silent' }
  const program = startProgram('server/commands/mock.ts', [], { env })
  const [line] = await program.says(/curl .+/)
  const shell = await runInShell(line.replace('curl', 'curl --silent --show-error --include'))
  expect(shell).toMatchObject({ status: 0, complaint: '' })
  expect(shell.output).toMatch(/^HTTP\/1.1 200 /)

  expect(await program.kill('SIGTERM')).toMatchObject({ status: 0, complaint: '' })
})

test('an invalid variable ends the mock with one line and status 1', async () => {
  const ended = await startProgram('server/commands/mock.ts', [], { env: { PORT: 'x' } }).ended
  expect(ended).toMatchObject({ status: 1, output: '' })
  expect(ended.complaint).toMatch(/^PORT is "x"\. Allowed: .*\n$/)
})
