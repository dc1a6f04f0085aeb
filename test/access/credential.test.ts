import { expect, test } from 'vitest'
import { createApiKey } from '../../server/access/api-key.ts'
import { readCredential } from '../../server/access/credential.ts'

const key = createApiKey()

test.for([[undefined], [[]], [['']], [['  ']]])('%j is no credential', ([fields]) => {
  expect(readCredential(fields)).toEqual({ kind: 'missing' })
})

test.for(['Bearer', 'bearer', 'BEARER  '])('%s and a key is a credential', (scheme) => {
  expect(readCredential([`${scheme} ${key}`])).toEqual({ kind: 'key', key })
})

test.for([
  [['', '']],
  [['', `Bearer ${key}`]],
  [[`Bearer ${key}`, '']],
  [[`Bearer ${key}`, `Bearer ${key}`]],
  [[key]],
  [[`Bearer${key}`]],
  [[`x Bearer ${key}`]],
  [[`Bearer ${key} x`]],
  [[`Bearer ${key},`]],
  [[`Bearer ${key}x`]],
  [[`Basic ${key}`]],
  [['Bearer']],
  [['Bearer ']],
])('%j is malformed', ([fields]) => {
  expect(readCredential(fields)).toEqual({ kind: 'malformed' })
})
