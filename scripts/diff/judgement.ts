import { type JsonObject, toObject } from '../pipeline/description.ts'
import type { Change } from './contract-diff.ts'
import type { Difference } from './redocly-diff.ts'
import type { Direction } from './usage.ts'

/** A difference with what must be known to judge it. */
export interface Case extends Difference {
  /** Its place in the description where it still, or already, is. */
  readonly pointer: string
  /** Which ways it travels, in either description. */
  readonly directions: ReadonlySet<Direction>
  /** What is at the place, in words. */
  readonly subject: string
  /** What holds the place: the node itself, or the node around it where it came or went. */
  readonly description: JsonObject
  /** The largest page that clients may request, where the schema of one is at the place. */
  readonly pageSize: number | undefined
}

/** What is said of a difference. */
export type Judgement = Omit<Change, 'breaking' | 'place'>

/** Says what a difference means, nothing if it means nothing, undefined if it is not for it. */
export type Judge = (difference: Case) => Judgement | 'nothing' | undefined

/** What it means that a path, or a parameter in it, has another name. */
export const renamedInPath =
  'Requests stay as they are; code that names it, such as calls of `raw`, does not compile until it uses the new name.'

/** A value of the description, as one shows it in a sentence. */
export function show(value: unknown): string {
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  // It stands on one line between backticks.
  const text = written?.replaceAll('`', "'").replaceAll(/\s+/g, ' ')
  return text === undefined ? 'nothing' : `\`${text.length > 80 ? `${text.slice(0, 77)}…` : text}\``
}

/** How a value changed, as the end of a sentence. */
export function showChange({ base, revision }: Difference): string {
  const [before, after] = [base?.value, revision?.value]
  if (before === undefined) return `is now ${show(after)}`
  return after === undefined
    ? `is no longer stated; it was ${show(before)}`
    : `is now ${show(after)}; it was ${show(before)}`
}

/** A sentence that begins with a capital letter and ends with a full stop. */
export function toSentence(words: string): string {
  const text = words.trim().replace(/\.$/, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

/** The day before which something that was removed should have stayed, if it names one. */
export function announcedEnd(removed: unknown): { readonly sunset?: string } {
  const { 'x-sunset': sunset } = toObject(removed)
  return typeof sunset === 'string' ? { sunset } : {}
}
