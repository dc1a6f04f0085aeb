import type { Parameter } from './operation.ts'
import { typesOf } from './text-value.ts'

/** A parameter as it is written: its name, and how its arrays and objects are. */
export interface StyledParameter {
  readonly name: string
  readonly row: Parameter
  readonly style: NonNullable<Parameter['style']> | 'simple'
  readonly explode: boolean
}

/** A member of an object as it was sent, still encoded. */
export type Member = readonly [name: string, text: string]

/** The separators that are read. A space and a pipe are no characters of a URI, so clients encode them. */
const spaces = /%20|\+| /
const pipes = /\||%7c/i
const comma = /,/

/** A comma may be encoded where no item can have one: `URLSearchParams` of JavaScript encodes it. */
const anyComma = /,|%2c/i
const typesWithoutComma: ReadonlySet<unknown> = new Set(['integer', 'number', 'boolean'])

/**
 * Splits the text of a parameter, still encoded, into the items of an array. An encoded separator is part of an
 * item.
 */
export function splitItems(text: string, parameter: StyledParameter): readonly string[] {
  const { style, explode } = parameter
  const isOneOfMany = explode && manyTexts.has(style)
  if (isOneOfMany) {
    return [text]
  }
  if (style === 'matrix' && explode) {
    return text.split(';').slice(1).map(withoutName)
  }

  const items = withoutPrefix(text, parameter).split(separatorOf(parameter))
  // Spaces around the commas of a list in a header field are no part of its items (RFC 9110, section 5.6.1).
  return style === 'simple' ? items.map((item) => item.trim()) : items
}

/** The styles in which each item that is exploded has a text of its own. */
const manyTexts: ReadonlySet<string> = new Set([
  'form',
  'cookie',
  'spaceDelimited',
  'pipeDelimited',
])

/** Splits the text of a parameter, still encoded, into the members of an object; undefined if one has no value. */
export function splitMembers(
  text: string,
  parameter: StyledParameter,
): readonly Member[] | undefined {
  const { style, explode } = parameter
  const isPaired = explode && (style === 'simple' || style === 'label' || style === 'matrix')
  if (!isPaired) {
    return toPairs(splitItems(text, parameter))
  }

  const start = style === 'simple' ? 0 : 1
  const pairs = text.slice(start).split(separatorOf(parameter))
  const members = pairs.map((pair) => splitPair(style === 'simple' ? pair.trim() : pair))
  return members.every((member) => member !== undefined) ? members : undefined
}

/** Returns the text of a parameter that is neither an array nor an object. */
export function withoutPrefix(text: string, { style }: StyledParameter): string {
  if (style === 'label') {
    return text.replace(/^\./, '')
  }
  return style === 'matrix' ? withoutName(text.replace(/^;/, '')) : text
}

/** Returns whether a text begins as its style says. */
export function hasPrefix(text: string, { style, name, explode, row }: StyledParameter): boolean {
  if (style === 'label') {
    return text.startsWith('.')
  }
  if (style !== 'matrix') {
    return true
  }
  const isOfMembers = explode && typesOf(row).includes('object')
  return isOfMembers
    ? text.startsWith(';')
    : new RegExp(`^;${RegExp.escape(name)}(?:=|$)`).test(text)
}

function withoutName(pair: string): string {
  const at = pair.indexOf('=')
  return at === -1 ? '' : pair.slice(at + 1)
}

function separatorOf({ style, explode, row }: StyledParameter): RegExp {
  switch (style) {
    case 'spaceDelimited':
      return spaces
    case 'pipeDelimited':
      return pipes
    case 'form':
      return typesWithoutComma.has(row.items?.type) ? anyComma : comma
    case 'label':
      return explode ? /\./ : comma
    case 'matrix':
      return explode ? /;/ : comma
    default:
      return comma
  }
}

/** Returns a name and its value; undefined if the text has no value. */
export function splitPair(pair: string): Member | undefined {
  const at = pair.indexOf('=')
  return at === -1 ? undefined : [pair.slice(0, at), pair.slice(at + 1)]
}

/** Returns names and values that follow each other as pairs. */
function toPairs(items: readonly string[]): readonly Member[] | undefined {
  if (items.length % 2 !== 0) {
    return items.length === 1 && items[0] === '' ? [] : undefined
  }
  return items.flatMap((name, index) => {
    return index % 2 === 0 ? [[name, items[index + 1] ?? ''] as const] : []
  })
}
