import fc from 'fast-check'
import type { JsonObject } from '../../../scripts/pipeline/description.ts'
import type { Dice } from './dice.ts'
import { oddNumber, oddString } from './odd-values.ts'

const formats: Readonly<Record<string, readonly string[]>> = {
  date: ['2026-11-21', '2024-02-29', '2023-02-29', '2026-13-01', '21.11.2026'],
  'date-time': [
    '2026-11-21T12:00:00Z',
    '2026-11-21t12:00:00.5+01:00',
    '2026-11-21 12:00:00Z',
    'now',
  ],
  uuid: [
    '7d44c9ae-5a2e-4f3c-8f53-0f4f3f0b4a10',
    'urn:uuid:7d44c9ae-5a2e-4f3c-8f53-0f4f3f0b4a10',
    '7d',
  ],
  email: ['a@b.example', 'a@b', 'a', '@'],
  byte: ['', 'YQ==', 'YQ=', 'YQ', 'Y Q==', 'YWFh'],
  uri: ['https://a.example/', 'a', 'a b:c', 'urn:a:b'],
  'uri-reference': ['a', '/a?b', '\\'],
  ipv4: ['127.0.0.1', '256.0.0.1', '1'],
  hostname: ['a.example', '-'],
  regex: ['a+', '(', '\\Z'],
}

const matching = new Map<string, readonly string[]>()

/** A string that a schema may well allow, or only just not. */
export function roughString(schema: JsonObject, dice: Dice): string {
  const { pattern, format } = schema
  if (typeof format === 'string' && dice.chance(0.8)) {
    return dice.pick(formats[format] ?? ['a', '1'])
  }
  if (typeof pattern !== 'string' || dice.chance(0.1)) return stringOfLength(schema, dice)
  const known = matching.get(pattern) ?? samplesOf(pattern)
  matching.set(pattern, known)
  return dice.pick(known)
}

function samplesOf(pattern: string): readonly string[] {
  const options = { numRuns: 40, seed: 1 }
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), options)
  } catch {
    // fast-check does not know all of regular expressions.
    return fc.sample(fc.string({ unit: 'grapheme', maxLength: 8 }), options)
  }
}

/** A number of characters, items or fields at the limits of a schema, between or beyond them. */
export function roughLength(schema: JsonObject, what: string, { pick, below }: Dice): number {
  const least = Number(schema[`min${what}`] ?? 0)
  const most = Number(schema[`max${what}`] ?? least + 3)
  const between = least + below(Math.min(4, Math.max(1, most - least + 1)))
  return Math.max(0, pick([least, most, between, between, between, least - 1, most + 1]))
}

function stringOfLength(schema: JsonObject, dice: Dice): string {
  if (dice.chance(0.1)) return oddString(dice)
  const length = roughLength(schema, 'Length', dice)
  const unit = dice.pick(['a', 'Z', '0', '-', '\u00E9', '\u{1F43E}', '\u{1F43E}', '\uD800'])
  return (
    dice.pick(['', 'b', '\u{1F415}', '"']).slice(0, length) + unit.repeat(Math.max(0, length - 1))
  )
}

/** A number that a schema may well allow, or only just not. */
export function roughNumber(schema: JsonObject, type: string, dice: Dice): number {
  const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
  const said = limits.map((keyword) => schema[keyword]).filter((limit) => typeof limit === 'number')
  if (said.length === 0 || dice.chance(0.1)) return oddNumber(dice)
  const start = dice.pick(said) * dice.pick([1, 1, 1, 2, 3, 7, 1000])
  const step = type === 'integer' ? dice.pick([0, 1, -1, 2, 10]) : dice.pick([0, 1, -1, 0.5, 1e-9])
  return start + step
}
