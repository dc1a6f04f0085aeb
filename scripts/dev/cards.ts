import { diff as diffTokens } from 'node:util'
import type { AcceptedChange, Change, ChangedValues } from '../diff/contract-diff.ts'
import type { Excerpt, ExcerptReader } from './excerpt.ts'
import type { Finding, Location } from './state.ts'

/** A part of a text that was changed: in both, only in the one before, or only in the one after. */
export interface TextPart {
  readonly kind: 'same' | 'before' | 'after'
  readonly text: string
}

/** One of the things that were found on a line. */
export interface Point {
  /** What is wrong, or what changed. */
  readonly what: string
  /** The rule of the linter or of the comparison. */
  readonly rule?: string | undefined
  /** What it means for consumers, or why it is accepted. */
  readonly meaning?: string | undefined
  /** Where it is in the description, such as `components.schemas.Order`. */
  readonly place?: string | undefined
}

/** What was found on a line of a file, with the lines around it. */
export interface Card extends Location {
  readonly points: readonly Point[]
  /** The values before, if they are lines and their place is shown. */
  readonly before: readonly string[]
  /** The values before and after, if they have more lines or are texts for people. */
  readonly texts: readonly (readonly TextPart[])[]
  readonly excerpt?: Excerpt | undefined
}

/** A point with its place in a file, and what changed there. */
interface LocatedPoint extends Location {
  readonly point: Point
  readonly values?: ChangedValues | undefined
  readonly isRewording?: true | undefined
}

/** How many cards of a list have the lines around them. */
const mostExcerpts = 50
/** How long a value may be that is shown above the line that has the new one. */
const longestBefore = 100

/** Returns what the linter or the compiler has found, a card for each line. */
export function cardsOfFindings(
  findings: readonly Finding[],
  reader: ExcerptReader,
): readonly Card[] {
  const locatedPoints = findings.map(({ message, rule, ...location }) => {
    return { ...location, point: { what: message, rule } }
  })
  return toCards(locatedPoints, reader)
}

/** Returns changes of the contract, a card for each line. */
export function cardsOfChanges(
  changes: readonly (Change | AcceptedChange)[],
  reader: ExcerptReader,
): readonly Card[] {
  const locatedPoints = changes.map((change) => {
    const { file, line, values, isRewording } = change
    return { file, line, column: 1, point: pointOf(change), values, isRewording }
  })
  return toCards(locatedPoints, reader)
}

function pointOf(change: Change | AcceptedChange): Point {
  const { id, place, what, consequence, operations } = change
  const meaning = 'reason' in change ? `Accepted: ${change.reason}` : consequence
  const names = operations.map(({ name }) => name).filter((name) => name !== place)
  const affected = names.length === 0 ? '' : ` Affects ${names.join(', ')}.`
  return { what, rule: id, meaning: `${meaning}${affected}`, place }
}

function toCards(locatedPoints: readonly LocatedPoint[], reader: ExcerptReader): readonly Card[] {
  const groups = Map.groupBy(locatedPoints, ({ file, line }) => `${file}:${line}`)
  return Array.from(groups.values()).flatMap((group, index) => {
    const [first] = group
    const excerptReader = index < mostExcerpts ? reader : undefined
    return first === undefined ? [] : [toCard(first, group, excerptReader)]
  })
}

/** Returns the card of a line; `first` is the first that was found there. */
function toCard(
  { file, line, column }: Location,
  group: readonly LocatedPoint[],
  reader: ExcerptReader | undefined,
): Card {
  const location = { file, line, column }
  const points = group.map(({ point }) => point)
  const changedLines: ChangedValues[] = []
  const comparedTexts: (readonly TextPart[])[] = []
  for (const locatedPoint of group) {
    if (isLine(locatedPoint)) {
      changedLines.push(locatedPoint.values)
    } else if (locatedPoint.values !== undefined) {
      comparedTexts.push(compareTexts(locatedPoint.values))
    }
  }

  const columns = group.map((each) => each.column).filter((each) => each > 1)
  const texts = changedLines.map(({ after }) => after)
  // The two values of a reworded text say more than the lines around it.
  const hasLines = group.some(({ values, isRewording }) => !(isRewording && values))
  return {
    ...location,
    points,
    before: [...new Set(changedLines.map(({ before }) => before))],
    texts: uniqueTexts(comparedTexts),
    excerpt: hasLines ? reader?.read({ file, line, columns, texts }) : undefined,
  }
}

/** Returns whether the value before is shown above the line that has the new one. */
function isLine(
  locatedPoint: LocatedPoint,
): locatedPoint is LocatedPoint & { readonly values: ChangedValues } {
  const { values, isRewording } = locatedPoint
  if (values === undefined || isRewording === true) {
    return false
  }
  return values.before.length <= longestBefore && !values.before.includes('\n')
}

/** Returns each text once: several changes may be about one value. */
function uniqueTexts(texts: Card['texts']): Card['texts'] {
  const byText = new Map(texts.map((parts) => [JSON.stringify(parts), parts]))
  return Array.from(byText.values())
}

/** Returns the parts of two texts, compared line by line, or word by word if they are a line each. */
function compareTexts({ before, after }: ChangedValues): readonly TextPart[] {
  const isOneLine = !`${before}${after}`.includes('\n')
  const split = (text: string) => {
    return isOneLine ? text.split(/(\s+)/) : text.split('\n').map((each) => `${each}\n`)
  }
  const kinds = { '-1': 'after', 0: 'same', 1: 'before' } as const
  const parts: TextPart[] = []
  for (const [operation, text] of diffTokens(split(before), split(after))) {
    const kind = kinds[operation]
    const last = parts.at(-1)
    if (last?.kind === kind) {
      parts[parts.length - 1] = { kind, text: last.text + text }
    } else {
      parts.push({ kind, text })
    }
  }
  return parts
}
