import { expect, test } from 'vitest'
import { tools } from '../../helpers/fixture-service.ts'
import { startRecorder } from './recorder.ts'

/** Starts a service with an operation that takes any JSON; reads bodies as its handler gets them. */
async function startReader() {
  const { send, inputs } = await startRecorder({})

  async function post(text: string | Buffer) {
    const body = new Uint8Array(Buffer.from(text))
    const headers = { 'Content-Type': 'application/json; charset=utf-16' }
    const response = await send(tools, { method: 'POST', body, headers })
    return { status: response.status, text: await response.text() }
  }

  return {
    async read(body: string | Buffer): Promise<unknown> {
      expect(await post(body)).toMatchObject({ status: 201 })
      return inputs.pop()?.body
    },
    /** Returns where a rejected body has its first violation, in bytes, and the reason. */
    async violationOf(body: string | Buffer) {
      const { status, text } = await post(body)
      expect(text.length).toBeLessThan(500)
      expect({ status, ...JSON.parse(text) }).toMatchObject({ status: 400, code: 'malformed_json' })
      expect(inputs).toEqual([])
      const { details } = JSON.parse(text)
      expect(details).toMatchObject([{ path: '/body' }])
      const [, offset, message = ''] = /^byte (\d+): (.*)$/s.exec(details[0].message) ?? []
      return { offset: Number(offset), message }
    },
  }
}

const notUtf8 = 'text that is not UTF-8, whatever its media type says'

/** Texts that are not I-JSON: `^` marks where, and is no part of the text; the message says why. */
const rejected: Record<string, readonly (readonly [marked: string, message: RegExp])[]> = {
  'text that is empty or ends too soon': [
    [' \t\r\n^', /^a value was expected, but the text ends$/],
    ['"é^', /a closing double quote/],
    ['"é\\u00^', /a hexadecimal digit/],
  ],
  'text after the value': [
    ['{"a":"é"} ^x', /^the end of the text was expected, not 'x'$/],
    ['{}^\0', /the end of the text was expected, not '\\u\{0\}'/],
  ],
  'trailing and missing commas and colons': [
    ['["é",^]', /^a value was expected, not ']'$/],
    ['{"é":1,^}', /a name in double quotes was expected, not '}'/],
    ['{"é":1 ^"b":2}', /a comma or '}'/],
    ['{"é"^,"b"}', /a colon/],
    ['["é"^}', /a comma or ']' was expected, not '}'/],
  ],
  'what other notations allow': [
    ['{^é:1}', /a name/],
    ['nul^L', /the word null was expected, not 'L'/],
  ],
  'numbers that the grammar does not know': [
    ['["é",0^1]', /^a number must not have leading zeros$/],
    ['1.^e5', /a digit was expected, not 'e'/],
  ],
  'strings with control characters or bad escapes': [
    ['"é^\n"', /^a control character in a string must be escaped$/],
    ['"\\^v"', /after a backslash/],
  ],
  'byte order marks': [['^\uFEFF{}', /^a byte order mark is not allowed$/]],
  'names that occur twice': [
    ['{"é":1,"b":2,^"é":3}', /^the name 'é' occurs twice in one object$/],
    ['{"é":1, ^"\\u00e9":2}', /the name '\\u00e9'/],
    ['{"__proto__":1,^"__proto__":2}', /the name '__proto__'/],
  ],
  'lone surrogates': [
    ['"é^\\uD83D"', /^a surrogate escape must be one half of a pair$/],
    ['"^\\uD83D\\uD83D\\uDC36"', /one half of a pair/],
  ],
  'numbers that double precision would change': [
    ['["é",^9007199254740993]', /^the number '9007199254740993' is beyond double precision$/],
    ['^1.7976931348623159e308', /beyond/],
  ],
  [notUtf8]: [
    ['"\xC3\xA9^\xFF"', /^the body is not UTF-8$/],
    // A character that stops short.
    ['"\xC3\xA9^\xE2\x82"', /not UTF-8/],
    // An encoded surrogate.
    ['"^\xED\xA0\x80"', /not UTF-8/],
    // A replacement character is valid.
    ['"\xEF\xBF\xBD^\xEF\xBF"', /not UTF-8/],
  ],
  'long text in which anything is wrong': [
    [`^1${'0'.repeat(18_000)}1`, /beyond double precision/],
    [`${'['.repeat(32)}^${'['.repeat(19_000)}`, /deeper than 32/],
  ],
  'nesting deeper than 32': [
    [`${'['.repeat(32)}^[`, /^nesting is deeper than 32$/],
    [`["é",${'[{"a":'.repeat(15)}[^[]`, /deeper than 32/],
  ],
}

test.for(Object.entries(rejected))('a body has no %s', async ([what, rows]) => {
  const { violationOf } = await startReader()
  // To write bytes: "\xC3\xA9" is é in UTF-8.
  const encoding = what === notUtf8 ? 'latin1' : 'utf8'
  for (const [marked, message] of rows) {
    const [before = '', after] = marked.split('^')
    const offset = Buffer.byteLength(before, encoding)
    const body = Buffer.from(`${before}${after}`, encoding)
    const expected = { offset, message: expect.stringMatching(message) }
    expect(await violationOf(body), marked).toEqual(expected)
  }
})

test('a number that double precision keeps is read, however it is written', async () => {
  const { read } = await startReader()
  const rows = [
    ['5.0', 5],
    ['-0.9E7', -9_000_000],
    ['0e999999', 0],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', Number.MIN_VALUE],
    [`${'1'.padEnd(401, '0')}e-400`, 1],
  ] as const
  for (const [literal, value] of rows) {
    const expected = ['🐶', { é: value }]
    expect(await read(`["🐶", {"é": ${literal}}]`), literal).toStrictEqual(expected)
  }
})

test('a body that is I-JSON is read as JSON', async () => {
  const { read } = await startReader()
  const texts = [
    ' \t\r\n{ "a" : [ ] , "b" : { } } \n',
    '["\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9"]',
    '["\\ud800\\udc00, \\uDBFF\\uDFFF, \\uD7FF, \\uE000"]',
    '["\u007f\u2028\uFEFF\uFFFD-0"]',
    `${'[{"é":'.repeat(16)}1${'}]'.repeat(16)}`,
    // In time, and without recursion.
    `[1e${'0'.repeat(19_000)}]`,
    `["${'\\'.repeat(19_000)}"]`,
  ]
  for (const text of texts) expect(await read(text), text).toStrictEqual(JSON.parse(text))
})

test('a member named __proto__ is a member, and changes no prototype', async () => {
  const { read } = await startReader()
  const value = await read('{"__proto__":{"admin":true},"n":-0}')
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.entries(value ?? {})).toEqual([
    ['__proto__', { admin: true }],
    ['n', 0],
  ])
})

test('a message echoes at most 40 characters, none of them invisible', async () => {
  const { violationOf } = await startReader()
  const messageOf = async (name: string) => (await violationOf(`{"${name}":1,"${name}":2}`)).message
  const shown = 'a🐶'.repeat(20)
  expect(await messageOf(`${shown}more`)).toBe(`the name '${shown}…' occurs twice in one object`)
  const dogs = await messageOf('🐶'.repeat(41))
  expect(dogs).toBe(`the name '${'🐶'.repeat(40)}…' occurs twice in one object`)
  const visible = "the name '\\u{2028}\\u{7f}' occurs twice in one object"
  expect(await messageOf('\u2028\x7f')).toBe(visible)
})
