import { isUtf8 } from 'node:buffer'

/** What is to be expected of a body; the range is where in it the fault must be, in bytes. */
export type Expectation =
  | { readonly value: unknown }
  | { readonly reason: RegExp; readonly from: number; readonly to: number }

const reasons = {
  utf8: /not UTF-8/,
  grammar: /was expected|must be escaped|leading zeros|byte order mark/,
  depth: /deeper than 32/,
  name: /twice/,
  surrogate: /surrogate/,
  number: /beyond double precision/,
}
const anyReason = new RegExp(
  Object.values(reasons)
    .map(({ source }) => source)
    .join('|'),
)
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const token = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/gs

/** Judges a body by other means than the reader: JSON.parse, patterns and integer arithmetic. */
export function expectationOf(body: Uint8Array): Expectation {
  if (!isUtf8(body)) {
    const damage = damageOf(body)
    const start = body.subarray(0, damage)
    const early = damage === 0 ? undefined : expectationOf(start)
    // Nothing that is wrong before the damage goes unnoticed because of it.
    if (early && 'reason' in early && early.to < damage) return early
    return { reason: anyReason, from: 0, to: damage }
  }
  const text = utf8.decode(body)
  try {
    const value: unknown = JSON.parse(text, (_name, part) => (part === 0 ? 0 : part))
    return offenceIn(text) ?? { value }
  } catch (error) {
    const place = /at position (\d+)/.exec(String(error))?.[1]
    const before = text.slice(0, place === undefined ? text.length : Number(place))
    return { reason: anyReason, from: 0, to: Buffer.byteLength(before) }
  }
}

function damageOf(body: Uint8Array): number {
  let end = body.length
  while (!isUtf8(body.subarray(0, end))) end--
  return end
}

/** The first part of a JSON text that I-JSON forbids. */
function offenceIn(text: string): Expectation | undefined {
  const open: (string[] | undefined)[] = []
  for (const { 0: part, index } of text.matchAll(token)) {
    const from = Buffer.byteLength(text.slice(0, index))
    const isName = part.startsWith('"') && /^\s*:/.test(text.slice(index + part.length))
    if (part === '[' || part === '{') open.push(part === '{' ? [] : undefined)
    if (part === ']' || part === '}') open.pop()
    if (open.length > 32) return { reason: reasons.depth, from, to: from }
    if (/^[-\d]/.test(part) && !isKept(part)) return { reason: reasons.number, from, to: from }
    if (!part.startsWith('"')) continue
    const meant: string = JSON.parse(part)
    const to = from + Buffer.byteLength(part)
    if (!meant.isWellFormed()) return { reason: reasons.surrogate, from, to }
    const names = open.at(-1)
    if (!isName || names === undefined) continue
    if (names.includes(meant)) return { reason: reasons.name, from, to: from }
    names.push(meant)
  }
  return undefined
}

/** Tells whether double precision keeps a number, with exact arithmetic. */
export function isKept(literal: string): boolean {
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
