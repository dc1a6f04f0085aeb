import { expect, test } from 'vitest'
import { readPreferences, writePreferences } from '../../server/mock/preferences.ts'

test.for<[string[], Record<string, string>]>([
  [[], {}],
  [['code=404'], { code: '404' }],
  [['code=404, example=none'], { code: '404', example: 'none' }],
  [['code=404', 'example="a, \\"b\\""'], { code: '404', example: 'a, "b"' }],
  [['Code = 404 ; strict, code=500'], { code: '404', strict: '' }],
  [['code=404; example=none'], { code: '404', example: 'none' }],
  [['code=404;example="a;b" ;, wait'], { code: '404', example: 'a;b', wait: '' }],
  [['respond-async, wait=10, code=201'], { 'respond-async': '', wait: '10', code: '201' }],
  [['code=""'], { code: '' }],
  [[',,'], {}],
])('%j is read as RFC 7240 has it', ([fields, expected]) => {
  expect(Object.fromEntries(readPreferences(fields) ?? [])).toEqual(expected)
})

test.for(['code=404 example=none', 'example="none', 'code=404, =none', 'code=a"b"'])(
  '%s is not read as something else',
  (field) => {
    expect(readPreferences([field])).toBeUndefined()
  },
)

test('what is written is read as the same', () => {
  const preferences = new Map([
    ['code', '404'],
    ['example', 'a "b", \\c'],
  ])
  expect(readPreferences([writePreferences(preferences)])).toEqual(preferences)
})
