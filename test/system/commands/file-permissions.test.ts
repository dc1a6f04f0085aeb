import { chmodSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { freshFile } from '../../helpers/keys-command.ts'
import { startServiceProcess } from '../../helpers/service-process.ts'

const endings = ['', '-wal', '-shm']

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

/** Starts the service on a file and stops it by a signal; returns the warnings in its log. */
async function warningsOf(file: string, signal: NodeJS.Signals): Promise<string[]> {
  const { program } = await startServiceProcess(file, { LOG_LEVEL: 'warn' })
  for (const ending of endings) expect(modeOf(file + ending), ending).toBe('600')
  const { output } = await program.kill(signal)
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  return lines.map((line) => JSON.parse(line)).map(({ level, msg }) => `${level}: ${msg}`)
}

test('the service creates the store with 0600 in folders with 0700, and changes files that others can read, with one line in the log', async () => {
  const file = freshFile()
  expect(await warningsOf(file, 'SIGKILL')).toEqual([])
  expect([dirname(file), dirname(dirname(file))].map(modeOf)).toEqual(['700', '700'])
  const files = endings.map((ending) => file + ending)
  for (const name of files) chmodSync(name, 0o644)
  const line = `Other users could read or write ${files.join(', ')}. Permissions changed to 0600.`
  expect(await warningsOf(file, 'SIGTERM')).toEqual([`warn: ${line}`])
  expect(await warningsOf(file, 'SIGTERM')).toEqual([])
})
