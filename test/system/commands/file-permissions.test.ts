import { chmodSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { createKeysCommand, freshFile } from '../../helpers/keys-command.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'

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
