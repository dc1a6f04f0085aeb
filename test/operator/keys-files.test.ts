import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createKeysCommand, freshFile } from './keys-command.ts'

test('no file has a key in it, only what it begins with', async () => {
  const file = freshFile()
  const keys = createKeysCommand(file)
  const first = await keys.make('issue', '--plan', 'free')
  const { key } = await keys.make('rotate', first.id, '--overlap', '1h')
  const folder = dirname(file)
  const bytes = Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))))
  expect(bytes.includes(key.slice(0, 10))).toBe(true)
  for (const secret of [first.key, key]) expect(bytes.includes(secret.slice(10, 18))).toBe(false)
})

test('four commands that come to a fresh file at once all work', async () => {
  const keys = createKeysCommand(freshFile())
  const made = await Promise.all([1, 2, 3, 4].map(() => keys.make('issue', '--plan', 'free')))
  const listed = await keys.list()
  expect(listed.map((key) => key.id).sort()).toEqual(made.map((key) => key.id).sort())
})
