import type { Card, Point } from '../cards.ts'
import { element, marked } from './element.ts'
import { locationLink } from './location-link.ts'
import { changedText, excerptView } from './source-view.ts'

/** Returns what was found on a line: what it is, what it means, where, and the lines around it. */
export function cardView(card: Card, editorUrl: string): HTMLElement {
  const { points, file, before, texts, excerpt } = card
  const places = new Set(points.flatMap(({ place }) => place ?? []))
  const names = Array.from(places, (place) => [element('code', 'muted', place), ' ']).flat()
  return element(
    'li',
    'finding',
    ...points.flatMap((point, index) => pointView(point, points[index + 1])),
    element('p', 'where', ...names, locationLink(card, editorUrl)),
    ...texts.map(changedText),
    ...(excerpt === undefined ? [] : [excerptView(excerpt, file, before)]),
  )
}

/** Returns what stays the same of a card when lines before it are added. */
export function cardKey({ file, points }: Card): string {
  const [first] = points
  return [file, first?.rule, first?.place, first?.what].join(' ')
}

/** Returns how many things were found on the lines of cards. */
export function countPoints(cards: readonly Card[]): number {
  return cards.reduce((sum, { points }) => sum + points.length, 0)
}

/** Returns a point; what it means stands below the next one where that means the same. */
function pointView(
  { what, rule, meaning }: Point,
  next: Point | undefined,
): readonly HTMLElement[] {
  const name = rule === undefined ? [] : [' ', element('span', 'rule', rule)]
  const isShared = meaning === undefined || meaning === next?.meaning
  return [
    element('p', 'what', ...marked(what), ...name),
    ...(isShared ? [] : [element('p', 'meaning', ...marked(meaning))]),
  ]
}
