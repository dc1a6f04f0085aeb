import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const read = (file: string): string => readFileSync(join(root, file), 'utf8')

test('docs/operations.md has the messages of the log as they are in the code', () => {
  const rows = read('docs/operations.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const messages = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
  const code = globSync('server/**/*.ts', { cwd: root }).map(read).join()
  expect(messages.length).toBeGreaterThan(10)
  // What is a parameter in the code is not compared.
  const fixed = messages.map(([, message = '']) => message.split(/…| MAX_/)[0] ?? '')
  expect(fixed.filter((message) => !code.includes(message))).toEqual([])
})
