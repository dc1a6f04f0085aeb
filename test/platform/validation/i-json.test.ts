import { expect, test } from 'vitest'
import { parseIJson } from '../../../server/contract/i-json.ts'
import { toObject } from '../../../server/description/json.ts'
import { tools } from '../../helpers/fixture-service.ts'
import { startRecorder } from './recorder.ts'

/** Starts a service with an operation that takes any JSON; reads bodies as its handler gets them. */
interface ErrorBody {
  readonly code: string
  readonly details: readonly { readonly path: string; readonly message: string }[]
}

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
      const { code, details }: ErrorBody = JSON.parse(text)
      expect([status, code]).toEqual([400, 'malformed_json'])
      expect(inputs).toEqual([])
      expect(details).toMatchObject([{ path: '/body' }])
      const [, offset, message = ''] = /^byte (\d+): (.*)$/s.exec(details[0]?.message ?? '') ?? []
      return { offset: Number(offset), message }
    },
  }
}

/** Texts that are not I-JSON: `^` marks where, and is no part of the text; the message says why. */
const rejected: Record<string, readonly [marked: string, message: RegExp]> = {
  'text that ends too soon': ['"é\\u00^', /a hexadecimal digit/],
  'text after the value': ['{"a":"é"} ^x', /^the end of the text was expected, not 'x'$/],
  'NUL after the value': ['{}^\0', /the end of the text was expected, not '\\u\{0\}'/],
  'a trailing comma in an array': ['["é",^]', /^a value was expected, not ']'$/],
  'a trailing comma in an object': ['{"é":1,^}', /a name in double quotes was expected, not '}'/],
  'a missing comma': ['{"é":1 ^"b":2}', /a comma or '}'/],
  'a missing colon': ['{"é"^,"b"}', /a colon/],
  'a wrong bracket': ['["é"^}', /a comma or ']' was expected, not '}'/],
  'a word that is none': ['nul^L', /the word null was expected, not 'L'/],
  'leading zeros': ['["é",0^1]', /^a number must not have leading zeros$/],
  'a number without digits': ['1.^e5', /a digit was expected, not 'e'/],
  'control characters': ['"é^\n"', /^a control character in a string must be escaped$/],
  'unknown escapes': ['"\\^v"', /after a backslash/],
  'a byte order mark': ['^\uFEFF{}', /^a byte order mark is not allowed$/],
  'a name twice': ['{"é":1,"b":2,^"é":3}', /^the name 'é' occurs twice in one object$/],
  'a name twice, once escaped': ['{"é":1, ^"\\u00e9":2}', /the name '\\u00e9'/],
  '__proto__ twice': ['{"__proto__":1,^"__proto__":2}', /the name '__proto__'/],
  'lone surrogates': [
    '"^\\uD83D\\uD83D\\uDC36"',
    /^a surrogate escape must be one half of a pair$/,
  ],
  'numbers beyond double precision': [
    '["é",^9007199254740993]',
    /^the number '9007199254740993' is beyond/,
  ],
  'numbers that become infinite': ['^1.7976931348623159e308', /beyond/],
  'nesting deeper than 32': [
    `${'['.repeat(32)}^${'['.repeat(19_000)}`,
    /^nesting is deeper than 32$/,
  ],
}

/** Texts of bytes that are not UTF-8, each byte a character. */
const notUtf8 = ['"\xC3\xA9^\xFF"', '"\xC3\xA9^\xE2\x82"', '"^\xED\xA0\x80"']

test('a body that is not I-JSON is rejected with the byte where it is wrong, and the reason', async () => {
  const { violationOf } = await startReader()
  for (const [what, [marked, message]] of Object.entries(rejected)) {
    const [before = '', after] = marked.split('^')
    const expected = { offset: Buffer.byteLength(before), message: expect.stringMatching(message) }
    expect(await violationOf(`${before}${after}`), what).toEqual(expected)
  }
})

test('a body that is not UTF-8 is rejected, whatever its media type says', async () => {
  const { violationOf } = await startReader()
  for (const marked of notUtf8) {
    const [before = '', after] = marked.split('^')
    const body = Buffer.from(`${before}${after}`, 'latin1')
    const expected = { offset: before.length, message: 'the body is not UTF-8' }
    expect(await violationOf(body), marked).toEqual(expected)
  }
})

test('a number that double precision keeps is read, however it is written', async () => {
  const { read } = await startReader()
  const rows = [
    ['5.0', 5],
    ['-0', 0],
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

test('negative zero is read as 0 wherever it may stand', async () => {
  const { read } = await startReader()
  expect(await read('-0')).toBe(0)
  const texts = ['[-0]', '[1,-0]', '[ -0.0]', '{"a":-0}', '{"a":\n-0e1}', '\t-0']
  for (const text of texts) {
    const values = [toObject(await read(`{"v":${text}}`))['v']].flat(2)
    const numbers = values.flatMap((value) =>
      typeof value === 'object' ? Object.values(toObject(value)) : [value],
    )
    expect(
      numbers.some((number) => Object.is(number, -0)),
      text,
    ).toBe(false)
  }
})

test('a date costs no more than another text', () => {
  const items = Array.from({ length: 20_000 }, (_, index) => ({ a: index, b: [index, 'xyz'] }))
  const costs = { date: [] as number[], text: [] as number[] }
  const costOf = (text: string): number => {
    const body = Buffer.from(JSON.stringify([text, items]))
    const before = process.threadCpuUsage()
    parseIJson(body)
    const { user, system } = process.threadCpuUsage(before)
    return user + system
  }
  // The first rounds compile code, and some collect garbage.
  for (let round = 0; round < 10; round++) {
    costs.date.push(costOf('2026-01-05'))
    costs.text.push(costOf('2026/01/05'))
  }
  expect(Math.min(...costs.date) / Math.min(...costs.text)).toBeLessThan(2)
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
  for (const text of texts) {
    expect(await read(text), text).toStrictEqual(JSON.parse(text))
  }
})

test('a member named __proto__ is a member, and changes no prototype', async () => {
  const { read } = await startReader()
  const value = toObject(await read('{"__proto__":{"admin":true}}'))
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(Object.entries(value)).toEqual([['__proto__', { admin: true }]])
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
