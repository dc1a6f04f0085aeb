import { isObject } from '../../../scripts/pipeline/description.ts'
import type { Dice } from './dice.ts'
import { oddName, oddValue } from './odd-values.ts'

/** A value with something changed in it, at any depth: another value, one less, or one more. */
export function mutated(value: unknown, dice: Dice): unknown {
  const { chance, below, pick } = dice
  if (Array.isArray(value) && chance(0.9)) {
    const at = below(value.length + 1)
    if (at === value.length) return [...value, value.length > 0 ? pick(value) : oddValue(dice)]
    if (chance(0.2)) return value.toSpliced(at, 1)
    return value.with(at, mutated(value[at], dice))
  }
  if (isObject(value) && chance(0.9)) return withChangedMember(value, dice)
  if (typeof value === 'string' && chance(0.5)) return nearString(value, dice)
  if (typeof value === 'number' && chance(0.5)) {
    return value + pick([1, -1, 0.5, -0.1, Number.EPSILON, 1e15])
  }
  return oddValue(dice)
}

function withChangedMember(value: object, dice: Dice): unknown {
  const rows = Object.entries(value)
  const at = dice.below(rows.length + 1)
  const [name, content] = rows[at] ?? [oddName(dice), undefined]
  // Not by assignment: `__proto__` is a field like others.
  if (at === rows.length) return Object.fromEntries([...rows, [name, oddValue(dice)]])
  const left = rows.toSpliced(at, 1)
  if (dice.chance(0.2)) return Object.fromEntries(left)
  if (dice.chance(0.1)) return Object.fromEntries([...left, [oddName(dice), content]])
  return Object.fromEntries(rows.with(at, [name, mutated(content, dice)]))
}

/** A string with one character more, less or other. */
export function nearString(value: string, { pick, below }: Dice): string {
  const at = below(value.length + 1)
  const added = pick(['', 'a', '\u{1F43E}', '\u0000', '\uD800', ' ', '0', '\n', '-'])
  return value.slice(0, at) + added + value.slice(at + below(2))
}
