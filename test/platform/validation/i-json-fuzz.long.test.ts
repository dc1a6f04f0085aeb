import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import fc from 'fast-check'
import { describe, test } from 'vitest'
import { ApiError } from '../../../server/contract/errors.ts'
import { parseIJson } from '../../../server/contract/i-json.ts'

/** Compares the reader with JSON.parse: it accepts nothing else, and rejects only what I-JSON forbids. */
function check(body: Buffer): void {
  const value = isUtf8(body) ? parse(body.toString()) : undefined
  const rejection = value === undefined ? /^byte/ : /twice|beyond|one half|deeper/
  const reading = read(body)
  if ('value' in reading) assert.deepStrictEqual(reading.value, value)
  else assert.match(String(reading.details[0]?.message), rejection)
}

/** Returns the value, or the error that the body is rejected with. */
function read(body: Buffer): { readonly value: unknown } | ApiError {
  try {
    return { value: parseIJson(body) }
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (_name, part) => (part === 0 ? 0 : part))
  } catch {
    return undefined
  }
}

/** Returns whether double precision keeps a number, with exact arithmetic. */
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

const double = fc.double({ noNaN: true, noDefaultInfinity: true })
const number = fc.oneof(
  double.map((value) => JSON.stringify(value)),
  fc.stringMatching(/^-?(0|[1-9]\d{0,24})(\.\d{1,25})?([eE][+-]?\d{1,3})?$/),
  fc.constantFrom('-0', '-0.0e5', '0e999999', '9007199254740993', '5e-324', '2e-324', '1e400'),
)
/** A double in another notation: the point moved, and zeros added. */
const rewritten = fc.tuple(double, fc.nat(400)).map(([value, move]) => {
  const { units, power } = fractionOf(String(value))
  return `${units * 10n ** BigInt(move)}.0E${power - move}`
})

const valid = fc.jsonValue({ maxDepth: 30 }).map((value) => JSON.stringify(value, undefined, 1))
const alphabet = [...'{}[]:,"\\/0123456789-+.eEu \n\ttrufalsn\'#\0é\u{1F436}\uFEFF']
const words = ['true', 'null', '"a":', '"a"', '[1', '\\uD83D', '\\uDC36', 'NaN', '-0', '1e400']
const damage = ['80', 'ff', 'c3', 'c080', 'eda080', 'f4908080'].map((hex) =>
  Buffer.from(hex, 'hex'),
)
const scraps = [...alphabet, ...words].map((text) => Buffer.from(text))
const added = fc.option(fc.constantFrom(...scraps, ...damage))
const edit = fc.record({ place: fc.nat(), removed: fc.nat(3), added })
const edited = fc.tuple(valid, fc.array(edit, { minLength: 1, maxLength: 3 })).map((both) => {
  let body = Buffer.from(both[0])
  for (const { place, removed, added } of both[1]) {
    const at = place % (body.length + 1)
    body = Buffer.concat([body.subarray(0, at), added ?? Buffer.of(), body.subarray(at + removed)])
  }
  return body
})

describe('the reader agrees with JSON.parse and exact arithmetic', { timeout: 60_000 }, () => {
  const isAccepted = (text: string) => 'value' in read(Buffer.from(text))

  test('on JSON texts, which it accepts', () => {
    fc.assert(fc.property(valid, isAccepted), { numRuns: 10_000 })
  })

  test('on edited JSON texts', () => {
    fc.assert(fc.property(edited, check), { numRuns: 50_000 })
  })

  test('on numbers', () => {
    const isSame = (literal: string) => isAccepted(literal) === isKept(literal)
    fc.assert(fc.property(number, isSame), { numRuns: 20_000 })
    fc.assert(fc.property(rewritten, isSame), { numRuns: 10_000 })
  })
})
