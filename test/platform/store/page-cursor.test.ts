import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPageCursors, type SortKey } from '../../../server/contract/page-cursor.ts'

const keys: readonly SortKey[] = [
  ...[0, 1, -1, 2 ** 53 - 1, 1.5, 'Ada', '', true, null, 2n ** 63n],
  new Date('2026-11-27T12:00:00.123Z'),
  ['Ada', 7],
  [new Date(0), '0190b4a6-7f3c-7c4e-9a55-3f1f6c6f8d55', null],
  [1],
]

test('cursors hold numbers, texts, dates and several of them', () => {
  const cursors = createPageCursors<SortKey>(randomBytes(32))
  for (const key of keys) {
    const cursor = cursors.write(key, 'filter')
    expect(cursor).toMatch(/^[\w-]+$/)
    expect(cursors.read(cursor, 'filter')).toEqual(key)
  }
})

test('a cursor of another filter, of another secret, or that was changed, is none', () => {
  const cursors = createPageCursors<SortKey>(randomBytes(32))
  const others = createPageCursors<SortKey>(randomBytes(32))
  for (const key of keys) {
    const cursor = cursors.write(key, 'filter')
    expect(cursors.read(cursor, 'other')).toBeUndefined()
    expect(others.read(cursor, 'filter')).toBeUndefined()
    const bytes = Buffer.from(cursor, 'base64url')
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8((changed.readUInt8(index) + 1) % 256, index)
      expect(cursors.read(changed.toString('base64url'), 'filter')).toBeUndefined()
    }
    for (const shift of [-1, 1]) {
      const signature = bytes.subarray(-16)
      const start = bytes.subarray(0, bytes.length - 16 + Math.min(shift, 0))
      const added = shift > 0 ? Buffer.from('f') : Buffer.alloc(0)
      const moved = Buffer.concat([start, added, signature]).toString('base64url')
      expect(cursors.read(moved, shift > 0 ? 'ilter' : 'filter')).toBeUndefined()
    }
  }
  expect(cursors.read('', '')).toBeUndefined()
})
