import { describe, expect, test } from 'vitest'
import { type JsonFault, readIJson } from '../../../server/contract/i-json/i-json.ts'

/** Texts that are not I-JSON: `^` marks where, and is no part of the text; the message says why. */
const rejected: Record<string, readonly (readonly [marked: string, message: RegExp])[]> = {
  'text that is empty or ends too soon': [
    ['^', /^a value was expected, but the text ends$/],
    [' \t\r\n^', /a value was expected, but the text ends/],
    ['{"é":^', /a value/],
    ['{"é"^', /a colon was expected, but the text ends/],
    ['{^', /a name in double quotes/],
    ['["🐶"^', /a comma or ']' was expected, but the text ends/],
    ['"é^', /a closing double quote/],
    ['"é\\^', /after a backslash/],
    ['"é\\u00^', /a hexadecimal digit/],
    ['tru^', /the word true/],
    ['-^', /a digit/],
  ],
  'text that goes on after the value': [
    ['{"a":"é"} ^x', /^the end of the text was expected, not 'x'$/],
    ['1 ^2', /the end of the text/],
    ['"🐶"^,', /the end of the text/],
    ['{}^\0', /the end of the text was expected, not '\\u\{0\}'/],
    ['[]^\u{1F436}', /not '🐶'/],
  ],
  'trailing and missing commas and colons': [
    ['["é",^]', /^a value was expected, not ']'$/],
    ['{"é":1,^}', /a name in double quotes was expected, not '}'/],
    ['[^,1]', /a value/],
    ['["é" ^1]', /a comma or ']'/],
    ['{"é":1 ^"b":2}', /a comma or '}'/],
    ['{"é"^,"b"}', /a colon/],
    ['["é"^}', /a comma or ']' was expected, not '}'/],
    ['{"é":[]^]', /a comma or '}'/],
  ],
  'what other notations allow': [
    ['["é",^// two\n2]', /a value was expected, not '\/'/],
    ['["é" ^/* two */]', /a comma/],
    ["[^'é']", /a value/],
    ['{^é:1}', /a name/],
    ['["é",^NaN]', /a value/],
    ['-^Infinity', /a digit/],
    ['^undefined', /a value/],
    ['nul^L', /the word null was expected, not 'L'/],
    ['[1,^\u00a02]', /a value/],
    ['^\v1', /a value was expected, not '\\u\{b\}'/],
  ],
  'numbers that the grammar does not know': [
    ['["é",0^1]', /^a number must not have leading zeros$/],
    ['-0^0', /leading zeros/],
    ['^+1', /a value/],
    ['^.5', /a value/],
    ['1.^', /a digit/],
    ['1.^e5', /a digit was expected, not 'e'/],
    ['1e+^', /a digit/],
    ['0^x1F', /the end of the text/],
    ['1^_000', /the end of the text/],
  ],
  'strings with control characters or bad escapes': [
    ['"é^\n"', /^a control character in a string must be escaped$/],
    ['{"é^\0":1}', /a control character/],
    ['"é^\x1f"', /a control character/],
    ['"\\^v"', /after a backslash/],
    ['"é\\^x41"', /after a backslash was expected, not 'x'/],
    ['"é\\^\'"', /after a backslash/],
    ['"é\\u00^g0"', /a hexadecimal digit was expected, not 'g'/],
    ['"\\u^{41}"', /a hexadecimal digit/],
    ['"\\^U0041"', /after a backslash/],
  ],
  'byte order marks': [
    ['^\uFEFF{}', /^a byte order mark is not allowed$/],
    ['{}^\uFEFF', /the end of the text was expected, not '\\u\{feff\}'/],
  ],
  'names that occur twice': [
    ['{"é":1,"b":2,^"é":3}', /^the name 'é' occurs twice in one object$/],
    ['{"é":1, ^"\\u00e9":2}', /the name '\\u00e9'/],
    ['{"__proto__":1,^"__proto__":2}', /the name '__proto__'/],
    ['{"__proto__":1,^"\\u005f_proto__":2}', /occurs twice/],
    ['[{"a":{"a":1},^"a":2}]', /occurs twice/],
    ['{"":1,^"":2}', /the name ''/],
    ['{"🐶":1,^"\\uD83D\\uDC36":2}', /occurs twice/],
  ],
  'lone surrogates': [
    ['"é^\\uD83D"', /^a surrogate escape must be one half of a pair$/],
    ['"é^\\uDC36"', /one half of a pair/],
    ['"^\\ud800"', /one half of a pair/],
    ['"^\\uDBFF"', /one half of a pair/],
    ['"^\\uDC00\\uDC00"', /one half of a pair/],
    ['"^\\udfff"', /one half of a pair/],
    ['"^\\uD83D\\uDBFF"', /one half of a pair/],
    ['"^\\uD83D\\uE000"', /one half of a pair/],
    ['"^\\uDC36\\uD83D"', /one half of a pair/],
    ['"^\\uD83D\\uD83D\\uDC36"', /one half of a pair/],
    ['"^\\uD83D\\n"', /one half of a pair/],
    ['"^\\uD83D🐶"', /one half of a pair/],
    ['{"é^\\ud83d":1}', /one half of a pair/],
  ],
  'numbers that double precision would change': [
    ['["é",^9007199254740993]', /^the number '9007199254740993' is beyond double precision$/],
    ['{"é":^-9007199254740993.0}', /beyond double precision/],
    ['["🐶",^1e400]', /the number '1e400'/],
    ['^-1e400', /beyond/],
    ['^1e-400', /beyond/],
    ['^2e-324', /beyond/],
    ['^1.7976931348623159e308', /beyond/],
    [`^0.1${'0'.repeat(39)}1`, /the number '0.10{37}…'/],
    [`^0.1000000000000000055511151231257827`, /beyond/],
    ['^18446744073709551616', /beyond/],
    [`^1e${'9'.repeat(400)}`, /beyond/],
    [`^1e-${'9'.repeat(400)}`, /beyond/],
  ],
  'nesting deeper than 32': [
    [`${'['.repeat(32)}^[`, /^nesting is deeper than 32$/],
    [`${'{"é":'.repeat(32)}^{}`, /deeper than 32/],
    [`["é",${'[{"a":'.repeat(15)}[^[]`, /deeper than 32/],
  ],
}

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

describe.for(Object.entries(rejected))('I-JSON has no %s', ([_what, examples]) => {
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
  ['digits', 'rejected', '1'.repeat(1e5)],
  ['zeros', 'rejected', `1${'0'.repeat(1e5)}1`],
  ['exponent digits', 'read', `1e${'0'.repeat(1e5)}`],
  ['brackets', 'rejected', '['.repeat(1e5)],
  ['names', 'read', `{${Array.from({ length: 1e4 }, (_, i) => `"n${i}":0`)}}`],
  ['backslashes', 'read', `"${'\\'.repeat(1e5)}"`],
  ['negative zeros', 'read', `[${Array(25_000).fill('-0')}]`],
  ['small numbers', 'read', `[${Array(14_000).fill('1e-310')}]`],
  ['cut UTF-8', 'rejected', Buffer.concat([Buffer.of(0x22), Buffer.alloc(1e5, '\uFFFD')])],
] as const)('100 kB of %s are %s, without recursion', ([_what, verdict, body]) => {
  expect('value' in readIJson(Buffer.from(body)) ? 'read' : 'rejected').toBe(verdict)
})
