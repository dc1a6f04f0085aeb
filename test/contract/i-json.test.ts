import { describe, expect, test } from 'vitest'
import { type JsonFault, readIJson } from '../../server/contract/i-json/i-json.ts'
import { refused } from './i-json-faults.ts'

function read(body: string | Buffer): unknown {
  const reading = readIJson(Buffer.from(body))
  if ('fault' in reading) throw new Error(`${reading.fault.offset}: ${reading.fault.message}`)
  return reading.value
}

function faultOf(body: string | Buffer): JsonFault {
  const reading = readIJson(Buffer.from(body))
  if ('value' in reading) throw new Error(`accepted as ${JSON.stringify(reading.value)}`)
  return reading.fault
}

describe.for(Object.entries(refused))('I-JSON has no %s', ([_what, examples]) => {
  test.for(examples)('%j', ([marked, message]) => {
    const [before = '', after] = marked.split('^')
    const fault = faultOf(`${before}${after}`)
    expect(fault).toEqual({
      offset: Buffer.byteLength(before),
      message: expect.stringMatching(message),
    })
  })
})

// In Latin-1, to write bytes: "\xC3\xA9" is é in UTF-8.
test.for([
  ['a byte that begins nothing', '"\xC3\xA9^\xFF"'],
  ['Latin-1', '{"name":"Andr^\xE9"}'],
  ['a character that stops short', '"\xC3\xA9^\xE2\x82"'],
  ['a character at the very end', '"\xC3\xA9^\xF0\x9F'],
  ['a continuation byte alone', '"\xC3\xA9^\x80"'],
  ['an overlong form', '"^\xC0\x80"'],
  ['an encoded surrogate', '"^\xED\xA0\x80"'],
  ['a code point beyond the last', '"^\xF4\x90\x80\x80"'],
  ['a replacement character before it, which is fine', '"\xEF\xBF\xBD^\xEF\xBF"'],
  ['bytes outside a string', '[1,^\xC3]'],
  ['UTF-16 with its byte order mark', '^\xFF\xFE{\0}\0'],
] as const)('I-JSON is UTF-8: %s', ([_what, marked]) => {
  const [before = '', after] = marked.split('^')
  const body = Buffer.from(`${before}${after}`, 'latin1')
  expect(faultOf(body)).toEqual({ offset: before.length, message: 'the body is not UTF-8' })
})

test('a fault before the first byte that is not UTF-8 comes first', () => {
  expect(faultOf(Buffer.from('{"a":1,"a":"\xFF"}', 'latin1')).offset).toBe(7)
  expect(faultOf(Buffer.from('[1,]\xFF', 'latin1')).offset).toBe(3)
})

test.for([
  ['5.0', 5],
  ['1e2', 100],
  ['1E+2', 100],
  ['-0', 0],
  ['-0.0e5', 0],
  ['0e999999', 0],
  [`0e-${'9'.repeat(400)}`, 0],
  ['9007199254740992', 2 ** 53],
  ['-9007199254740992.000', -(2 ** 53)],
  ['1.7976931348623157e308', Number.MAX_VALUE],
  ['5e-324', Number.MIN_VALUE],
  ['0.1', 0.1],
  [`0.1${'0'.repeat(40)}`, 0.1],
  [`${'1'.padEnd(401, '0')}e-400`, 1],
  [`0.${'0'.repeat(400)}1e401`, 1],
] as const)('the number %s is taken', ([literal, value]) => {
  expect(read(literal)).toBe(value)
  expect(read(`["🐶", {"é": ${literal}}]`)).toEqual(['🐶', { é: value }])
})

test.for([
  ' \t\r\n{ "a" : [ ] , "b" : { } } \n',
  '["\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9"]',
  '"\\uD83D\\uDC36 and \u{1F436}"',
  '"\\ud800\\udc00, \\uDBFF\\uDFFF, \\uD7FF, \\uE000"',
  '"\\uFFFF, \\uFDD0, \uFFFE and \u{1FFFF}"',
  '"\u007f\u2028\uFEFF\uFFFD-0"',
  '{"a":{"a":[{"a":null},{"a":true}]},"A":false}',
  `${'[{"é":'.repeat(16)}1${'}]'.repeat(16)}`,
  '[[[]],[[]],{},{}]',
])('the text %j is taken', (text) => {
  expect(read(text)).toStrictEqual(JSON.parse(text))
})

test('a member named __proto__ is a member, and changes no prototype', () => {
  const value = read('{"__proto__":{"admin":true},"n":-0}')
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.entries(value ?? {})).toEqual([
    ['__proto__', { admin: true }],
    ['n', 0],
  ])
})

test('a body may be a part of a larger buffer', () => {
  expect(read(Buffer.from('[1]{"a":2}[3]').subarray(3, 10))).toEqual({ a: 2 })
  expect(readIJson(new Uint8Array([0x31]))).toEqual({ value: 1 })
})

test('a message echoes at most 40 characters, none of them invisible', () => {
  const name = '\u{1F436}\u2028\x7f'.repeat(20)
  const { message } = faultOf(`{"${name}":1,"${name}":2}`)
  const shown = '\u{1F436}\\u{2028}\\u{7f}'.repeat(13)
  expect(message).toBe(`the name '${shown}\u{1F436}…' occurs twice in one object`)
})

test.for([
  ['digits', 'refused', '1'.repeat(1e5)],
  ['zeros', 'refused', `1${'0'.repeat(1e5)}1`],
  ['exponent digits', 'read', `1e${'0'.repeat(1e5)}`],
  ['brackets', 'refused', '['.repeat(1e5)],
  ['names', 'read', `{${Array.from({ length: 1e4 }, (_, i) => `"n${i}":0`)}}`],
  ['backslashes', 'read', `"${'\\'.repeat(1e5)}"`],
  ['negative zeros', 'read', `[${Array(25_000).fill('-0')}]`],
  ['small numbers', 'read', `[${Array(14_000).fill('1e-310')}]`],
  ['cut UTF-8', 'refused', Buffer.concat([Buffer.of(0x22), Buffer.alloc(1e5, '\uFFFD')])],
] as const)('100 kB of %s are %s, without recursion', ([_what, verdict, body]) => {
  expect('value' in readIJson(Buffer.from(body)) ? 'read' : 'refused').toBe(verdict)
})
