import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { parseIJson } from '../../../server/contract/i-json.ts'

const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs

/** Compares the reader with JSON.parse, patterns and integer arithmetic. */
function check(body: Buffer): void {
  const reading = parseIJson(body)
  const message = 'error' in reading ? reading.error.message : 'accepted'
  const text = body.toString()
  const value = isUtf8(body) ? parse(text) : undefined
  if (!isUtf8(body)) assert.match(message, /not UTF-8/)
  else if (value === undefined) {
    assert.match(
      message,
      /was expected|must be escaped|leading zeros|byte order mark|twice|beyond|one half|deeper/,
    )
  } else assert.match(message, violationIn(text) ?? /^accepted$/)
  if ('value' in reading) assert.deepStrictEqual(reading.value, value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_name, part) => (part === 0 ? 0 : part))
  } catch {
    return undefined
  }
}

/** Returns what I-JSON forbids first in a JSON text. */
function violationIn(text: string): RegExp | undefined {
  const open: (string[] | undefined)[] = []
  for (const { 0: part, index } of text.matchAll(token)) {
    if (part === '[' || part === '{') open.push(part === '{' ? [] : undefined)
    if (part === ']' || part === '}') open.pop()
    if (open.length > 32) return /deeper than 32/
    if (/^[-\d]/.test(part) && !isKept(part)) return /beyond double precision/
    if (!part.startsWith('"')) continue
    const meant: string = JSON.parse(part)
    if (!meant.isWellFormed()) return /surrogate/
    const names = open.at(-1)
    if (names === undefined || !/^\s*:/.test(text.slice(index + part.length))) continue
    if (names.includes(meant)) return /twice/
    names.push(meant)
  }
  return undefined
}

/** Tells whether double precision keeps a number, with exact arithmetic. */
function isKept(literal: string): boolean {
  const printed = JSON.stringify(Number(literal))
  if (printed === 'null') return false
  const [sent, kept] = [fractionOf(literal), fractionOf(printed)]
  if (sent.units === 0n || kept.units === 0n) return sent.units === kept.units
  // Beyond this the power of ten would be long, and no shorter number can be what it stands for.
  if (Math.abs(sent.power) > 2000) return false
  const least = Math.min(sent.power, kept.power)
  const [one, other] = [sent, kept].map(({ units, power }) => units * 10n ** BigInt(power - least))
  return one === other
}

function fractionOf(literal: string): { units: bigint; power: number } {
  const [significand = '', exponent = '0'] = literal.split(/e/i)
  const [whole = '', fraction = ''] = significand.replace('-', '').split('.')
  return { units: BigInt(whole + fraction), power: Number(exponent) - fraction.length }
}

const digit = fc.constantFrom('0', '0', '9', '1', '5')
const digits = (maxLength: number) => fc.string({ unit: digit, minLength: 1, maxLength })
const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const number = fc.oneof(
  fc.integer().map(String),
  double.map((value) => JSON.stringify(value)),
  fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,25})?([eE][+-]?\d{1,3})?$/),
  fc.tuple(digits(3), digits(20), fc.integer({ min: -345, max: 330 })).map(toScientific),
  fc.constantFrom('-0', '-0.0e5', '0e999999', '9007199254740993', '5e-324', '2e-324', '1e400'),
)
const character = fc.constantFrom(
  ...['a', 'b', '/', 'é', '\u2028', '\uFEFF', '\uFFFF', '\uFFFD', '\u{1F436}', '\x7f', '{', ','],
  ...['\\n', '\\"', '\\\\', '\\u0061', '\\u00E9', '\\uD83D\\uDC36', '\\uFFFF', '\\u0000'],
)
const rare = fc.constantFrom('\\uD83D', '\\uDC36', '\\uD83D\\u0061', '\\uDC36\\uD83D')
const unit = fc.oneof({ weight: 40, arbitrary: character }, { weight: 1, arbitrary: rare })
const string = fc.string({ unit, maxLength: 6 }).map((text) => `"${text}"`)
const name = fc.oneof(
  { weight: 4, arbitrary: string },
  { weight: 1, arbitrary: fc.constantFrom('"__proto__"', '"a"', '"\\u0061"', '"toString"', '""') },
)
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n')
const word = fc.constantFrom('true', 'false', 'null')
const { json } = fc.letrec<{ json: string; array: string; object: string }>((tie) => ({
  json: fc.oneof({ maxDepth: 4 }, word, number, string, tie('array'), tie('object')),
  array: fc
    .tuple(space, fc.array(tie('json'), { maxLength: 4 }))
    .map(([gap, values]) => `[${gap}${values.join(`${gap},`)}]`),
  object: fc
    .tuple(space, fc.array(fc.tuple(name, tie('json')), { maxLength: 4 }))
    .map(([gap, members]) => `{${gap}${members.map((pair) => pair.join(`${gap}:`)).join()}${gap}}`),
}))
const deep = fc
  .tuple(json, fc.integer({ min: 13, max: 17 }))
  .map(([inner, depth]) => '{"a":['.repeat(depth) + inner + ']}'.repeat(depth))
const jsonText = fc.oneof({ weight: 15, arbitrary: json }, { weight: 1, arbitrary: deep })
const alphabet = [...'{}[]:,"\\/0123456789-+.eEu \n\ttrufalsn\'#\0é\u{1F436}\uFEFF']
const words = ['true', 'false', 'null', '"a":', '"b":', '"a"', '[1', '\\u', 'D83D', 'NaN', '-0']
const scrap = fc.constantFrom(...alphabet, ...words).map((text) => Buffer.from(text))
const damage = fc
  .constantFrom('80', 'ff', 'c3', 'c080', 'eda080', 'f4908080', 'e280', 'f09f', 'efbb')
  .map((hex) => Buffer.from(hex, 'hex'))
const bytes = fc.oneof({ weight: 12, arbitrary: scrap }, { weight: 1, arbitrary: damage })
const edit = fc.record({ place: fc.nat(), removed: fc.nat(3), added: fc.option(bytes) })
const edited = fc.tuple(jsonText, fc.array(edit, { minLength: 1, maxLength: 3 })).map((both) => {
  let body = Buffer.from(both[0])
  for (const { place, removed, added } of both[1]) {
    const at = place % (body.length + 1)
    body = Buffer.concat([body.subarray(0, at), added ?? Buffer.of(), body.subarray(at + removed)])
  }
  return body
})

function toScientific([whole, fraction, exponent]: [string, string, number]): string {
  return `${BigInt(whole)}.${fraction}e${exponent}`
}

/** A number in another notation: the point moved, and zeros added around the digits. */
const rewritten = fc.tuple(double, fc.integer({ min: -400, max: 400 })).map(([value, move]) => {
  const [significand = '', exponent = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = significand.replace('-', '').split('.')
  const padding = '0'.repeat(Math.abs(move))
  const power = Number(exponent) - fraction.length
  if (move >= 0) return `${BigInt(whole + fraction + padding)}E${power - move}`
  return `0.${padding}${whole}${fraction}e${power + whole.length + fraction.length - move}`
})

describe('the reader agrees with JSON.parse and exact arithmetic', { timeout: 60_000 }, () => {
  test.for([
    ['JSON texts', 30_000, jsonText.map((text) => Buffer.from(text))],
    ['edited JSON texts', 50_000, edited],
    ['numbers', 20_000, number.map((text) => Buffer.from(text))],
  ] as const)('on %s', ([_what, numRuns, bodies]) => {
    fc.assert(fc.property(bodies, check), { numRuns })
  })

  test('on numbers in another notation, which it all takes', () => {
    const isTaken = (literal: string) => 'value' in parseIJson(Buffer.from(literal))
    fc.assert(fc.property(rewritten, isTaken), { numRuns: 10_000 })
    fc.assert(fc.property(rewritten, isKept), { numRuns: 1_000 })
  })
})
