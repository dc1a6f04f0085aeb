import { expect, test } from 'vitest'
import { mended, noticed } from './support/code-edits.ts'
import { enforced, refused } from './support/edits.ts'

const kinds = [
  'a field added',
  'a field removed',
  'a field made required',
  'an enum value added',
  'an enum value removed',
  'a limit changed',
  'a parameter renamed',
  'a status added',
  'an operation added',
  'a header made required',
]

test.for(kinds)('%s: one of the tables says what comes of it', (kind) => {
  const known = [...enforced, ...refused, ...mended, ...noticed].map(([name]) => name)
  expect(known).toContain(kind)
})
