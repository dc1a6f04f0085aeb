import { expect, test } from 'vitest'
import {
  createApiKey,
  createKeyId,
  isApiKey,
  prefixOf,
  withoutApiKeys,
} from '../../server/access/api-key.ts'

test('a key has the form that the documentation gives, and is like no other', () => {
  const keys = Array.from({ length: 100 }, createApiKey)
  for (const key of keys) expect(key).toMatch(/^ask_[0-9A-Za-z]{36}$/)
  expect(new Set(keys).size).toBe(keys.length)
})

test('what has more than a key, or less, is none', () => {
  const key = createApiKey()
  expect(isApiKey(key)).toBe(true)
  for (const text of ['', key.slice(4), `x${key}`, `${key}x`, `${key}\n`, key.slice(0, -1)]) {
    expect(isApiKey(text), text).toBe(false)
  }
})

test('the name of a key says nothing of it', () => {
  expect(createKeyId()).toMatch(/^key_[0-9A-Za-z]{12}$/)
})

test('people recognise a key by its first ten characters', () => {
  const key = createApiKey()
  expect(prefixOf(key)).toBe(key.slice(0, 10))
})

test('no text is shown with a key in it, or with a good part of one', () => {
  const [first, second] = [createApiKey(), createApiKey()]
  expect(withoutApiKeys(`/a/${first}/b/${second}?c`)).toBe('/a/ask_***/b/ask_***?c')
  expect(withoutApiKeys(first.slice(0, 24))).toBe('ask_***')
  for (const text of ['', '/v1/pets', '/ask_me', first.slice(0, 23)]) {
    expect(withoutApiKeys(text)).toBe(text)
  }
})
