import type { Dice } from './dice.ts'

/** Strings that programs have stumbled over. */
const strings = [
  ...['', ' ', 'a', '\u0000', '\uD800', 'a\uDC00', '\u{1F43E}', '\uFFFF', '\u2028', 'e\u0301', '1'],
  ...['true', 'null', '-0', '1e400', '__proto__', 'constructor', '2026-11-21', '2026-02-30', 'a b'],
]
const numbers = [
  ...[0, -0, 1, -1, 0.1, 0.01, 0.3, 1.5, 1e21, 1e300, 1e39, 1e-40, 5e-324, 2 ** 31, -(2 ** 31)],
  ...[2 ** 31 - 1, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 2 ** 63, 99, 100, 101, 1e308],
]
const names = [
  ...[
    '__proto__',
    'constructor',
    'toString',
    'length',
    'hasOwnProperty',
    'valueOf',
    '',
    '1',
    'a-b',
  ],
  ...['another', 'x', '~a/b', '\u0000', '\uD800', 'id', 'name'],
]

export function oddString({ pick, chance, below }: Dice): string {
  return chance(0.8) ? pick(strings) : pick(['a', '\u{1F43E}', '\uD83D']).repeat(below(1100))
}

export function oddNumber({ pick }: Dice): number {
  return pick(numbers)
}

export function oddName({ pick }: Dice): string {
  return pick(names)
}

/** Any JSON value, and now and then one that only the inside of a program knows. */
export function oddValue(dice: Dice, depth = 0): unknown {
  const { pick, chance, below } = dice
  const kinds = [
    'string',
    'number',
    'null',
    'true',
    'false',
    'undefined',
    'list',
    'object',
    'object',
  ]
  const kind = pick(depth > 2 ? kinds.slice(0, 6) : kinds)
  if (kind === 'string') return oddString(dice)
  if (kind === 'number') return oddNumber(dice)
  if (kind === 'null') return null
  if (kind === 'undefined') return chance(0.3) ? undefined : pick([[], {}])
  if (kind === 'list') return Array.from({ length: below(4) }, () => oddValue(dice, depth + 1))
  if (kind === 'object') {
    const row = () => [oddName(dice), oddValue(dice, depth + 1)]
    return Object.fromEntries(Array.from({ length: below(4) }, row))
  }
  return kind === 'true'
}
