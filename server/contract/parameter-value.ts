import { escapeToken } from '../description/pointer.ts'
import type { RequestSettings } from '../description/settings.ts'
import type { Shape } from '../description/value-shape.ts'
import { ApiError, type Detail } from './errors.ts'
import { parseIJson } from './i-json.ts'
import type { LargeIntegers } from './large-integers.ts'
import { isForm, memberShape, type ReadParameter } from './parameter-rows.ts'
import { hasPrefix, splitItems, splitMembers, withoutPrefix } from './parameter-style.ts'
import {
  emptyText,
  imprecise,
  isLargeInteger,
  isRounded,
  lexicalError,
  toValue,
  typesOf,
} from './text-value.ts'

/** A member of an object as it was sent: the keys that lead to it, and its text, still encoded. */
interface SentMember {
  readonly keys: readonly string[]
  readonly text: string
}

/** What was sent of a parameter: its texts, still encoded, and those of its members. */
export interface SentParameter {
  readonly texts: string[]
  readonly members: SentMember[]
}

/** Reports an error of a parameter, or of a part of it, such as `/0`. */
export type Report = (name: string, message: string, part?: string) => void

/** Notes an integer of a parameter, or of a part of it. */
type NoteLarge = (name: string, text: string, part: string) => void

/** Returns whether a value fits the schema of a parameter. */
export type Fits = (parameter: ReadParameter, value: unknown) => boolean

/** How the values of a message are read, and where what is found in them is collected. */
export interface MessageReading {
  readonly details: Detail[]
  /** Numbers that would be rounded. */
  readonly rounded: Detail[]
  /** Collects the integers that double precision may not hold; undefined where those of JSON are errors. */
  readonly large: LargeIntegers | undefined
  readonly fits: Fits
  /** What happens to a value that is given several times. */
  readonly repeatedParameters: Required<RequestSettings>['repeatedParameters']
}

/** How the values of one location of a message are read. */
export interface Reading extends Omit<MessageReading, 'details' | 'rounded'> {
  /** Decodes a text, which is not malformed. */
  readonly decode: (text: string) => string
  readonly report: Report
  /** Reports a number that would be rounded. */
  readonly reportRounded: Report
  /** Notes the text of an integer that double precision may not hold. */
  readonly noteLarge: NoteLarge
}

type ReadValue = (
  parameter: ReadParameter,
  sentParameter: SentParameter,
  reading: Reading,
) => unknown

/** Returns the value of a parameter that was sent; undefined if it counts as not sent, or is no value. */
export const readValue: ReadValue = (parameter, sentParameter, reading) => {
  const [first = ''] = sentParameter.texts
  const isPrefixed = sentParameter.texts.length === 0 || hasPrefix(first, parameter)
  if (!isPrefixed) {
    const start = parameter.style === 'label' ? '.' : `;${parameter.name}=`
    reading.report(parameter.name, `must begin with ${start}`)
    return undefined
  }
  return readers[parameter.kind](parameter, sentParameter, reading)
}

const readText: ReadValue = (parameter, { texts }, reading) => {
  const { name, row } = parameter
  const unprefixed =
    parameter.style === 'form' ? texts : texts.map((text) => withoutPrefix(text, parameter))
  const text = decodeOne(name, unprefixed, reading)
  return isUnused(parameter, text) ? undefined : convert(name, text, row, reading)
}

/** Returns whether a text counts as if the parameter was not sent. */
function isUnused({ row }: ReadParameter, text: string): boolean {
  const isEmptyAllowed = text === '' && row.allowEmptyValue === true
  return isEmptyAllowed && lexicalError(row, text) !== undefined
}

/** Returns the value of a text; reports where it has not the form of its types. */
function convert(
  name: string,
  text: string,
  shape: Shape,
  { report, reportRounded, noteLarge }: Reading,
  part = '',
): unknown {
  const message = lexicalError(shape, text)
  if (message !== undefined) {
    report(name, message, part)
    // Empty texts are skipped: no schema is for them.
    return text === '' && part === '' ? undefined : text
  }
  if (isRounded(shape, text)) {
    reportRounded(name, imprecise, part)
  }
  if (isLargeInteger(shape, text)) {
    noteLarge(name, text, part)
  }
  return toValue(text, shape)
}

const readJson: ReadValue = ({ name, row }, { texts }, reading) => {
  const text = decodeOne(name, texts, reading)
  const isUnusedJson = text === '' && row.allowEmptyValue === true
  return isUnusedJson ? undefined : readJsonText(name, text, reading)
}

const readJsonList: ReadValue = ({ name }, { texts }, reading) => {
  return texts.map((text, index) => readJsonText(name, reading.decode(text), reading, `/${index}`))
}

function readJsonText(name: string, text: string, reading: Reading, part = ''): unknown {
  try {
    return parseJson(text, reading.large)
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error
    }
    const [detail] = error.details
    reading.report(name, `must be JSON; ${detail?.message ?? error.message}`, part)
    return undefined
  }
}

function parseJson(text: string, large: LargeIntegers | undefined): unknown {
  const bytes = Buffer.from(text)
  if (large === undefined) {
    return parseIJson(bytes)
  }
  return parseIJson(bytes, (holder, key, literal) => large.add(holder, key, literal))
}

const readArray: ReadValue = (parameter, { texts }, reading) => {
  const { name, row } = parameter
  const [firstText = ''] = texts
  const isEmpty = texts.length === 1 && withoutPrefix(firstText, parameter) === ''
  if (isEmpty) {
    return readEmptyArray(parameter, reading)
  }

  const items = texts.flatMap((text) => splitItems(text, parameter)).map(reading.decode)
  const shape = row.items ?? {}
  return items.map((item, index) => convert(name, item, shape, reading, `/${index}`))
}

/** Returns the value of an array that was sent as an empty text. */
function readEmptyArray({ name, row, location }: ReadParameter, { report }: Reading): unknown {
  if (typesOf(row).includes('null')) {
    return null
  }
  if (isForm(location)) {
    return readEmptyItem(name, row, report)
  }
  if (location !== 'query') {
    return []
  }
  if (row.allowEmptyValue !== true) {
    report(name, emptyText)
    return undefined
  }
  return row.items?.emptyText === true ? [''] : undefined
}

/** Returns the array whose one item is the empty text, as a form has it. */
function readEmptyItem(name: string, { items }: Shape, report: Report): unknown {
  if (items?.emptyText === true) {
    return ['']
  }
  report(name, emptyText)
  return undefined
}

const readObject: ReadValue = (parameter, { texts, members }, reading) => {
  const { name, row } = parameter
  const membersInText = texts.length === 0 ? [] : readMembers(parameter, texts, reading)
  if (membersInText === undefined) {
    return undefined
  }
  const isNull = texts.length === 1 && texts[0] === '' && typesOf(row).includes('null')
  return isNull ? null : buildObject(name, row, [...membersInText, ...members], reading, '')
}

/** Returns the members in the text of an object; reports a text that has none, or names without values. */
function readMembers(
  parameter: ReadParameter,
  texts: readonly string[],
  reading: Reading,
): readonly SentMember[] | undefined {
  const { name } = parameter
  const { decode, report } = reading
  const text = chooseOne(name, texts, reading)
  const members = splitMembers(text, parameter)
  if (members === undefined) {
    report(name, 'must have a value for each name')
    return undefined
  }

  return members.map(([key, text]) => ({ keys: [decode(key)], text }))
}

/** Returns the object that has some members, which may be in objects of their own. */
function buildObject(
  name: string,
  shape: Shape,
  members: readonly SentMember[],
  reading: Reading,
  part: string,
): unknown {
  const byKey = Map.groupBy(members, ({ keys: [key = ''] }) => key)
  const entries = Array.from(byKey, ([key, ofKey]) => {
    // The schema reports a member that the object does not have.
    const member = memberShape(shape, key) ?? {}
    const place = `${part}/${escapeToken(key)}`
    const chosen = chooseForm(name, ofKey, reading, place)
    if (chosen.some(hasInnerKey)) {
      const rest = chosen.map(({ keys, text }) => ({ keys: keys.slice(1), text }))
      return [key, buildObject(name, member, rest, reading, place)] as const
    }
    const texts = chosen.map(({ text }) => text)
    return [key, readMember(name, member, texts, reading, place)] as const
  })
  return Object.fromEntries(entries)
}

/**
 * Returns the texts that count of a member that was sent as a value and by members of its own, such as `filter[at]=5`
 * and `filter[at][from]=1`; reports that there are both, unless the settings choose one of them.
 */
function chooseForm(
  name: string,
  sentMembers: readonly SentMember[],
  { report, repeatedParameters }: Reading,
  place: string,
): readonly SentMember[] {
  const withMembers = sentMembers.filter(hasInnerKey)
  const values = sentMembers.filter((member) => !hasInnerKey(member))
  const isBoth = withMembers.length > 0 && values.length > 0
  if (isBoth && repeatedParameters === 'reject') {
    report(name, 'must be given as a value or as an object, not as both', place)
  }

  const counted = repeatedParameters === 'last' ? sentMembers.at(-1) : sentMembers[0]
  return counted !== undefined && hasInnerKey(counted) ? withMembers : values
}

function hasInnerKey({ keys }: SentMember): boolean {
  return keys.length > 1
}

/** Returns the value of a member of an object: of one text, or the items of an array. */
function readMember(
  name: string,
  shape: Shape,
  texts: readonly string[],
  reading: Reading,
  place: string,
): unknown {
  const types = typesOf(shape)
  const isArray = types.includes('array') && (texts.length > 1 || !types.includes('string'))
  if (!isArray) {
    const readingOfMember: Reading = {
      ...reading,
      report: (_, message) => reading.report(name, message, place),
    }
    const text = decodeOne(name, texts, readingOfMember)
    return convert(name, text, shape, reading, place)
  }

  const items = texts.map(reading.decode)
  const itemShape = shape.items ?? {}
  return items.map((item, index) => convert(name, item, itemShape, reading, `${place}/${index}`))
}

/** Returns the first value that a parameter of several types may be, and that its schema accepts. */
const readSeveral: ReadValue = (parameter, sentParameter, reading) => {
  for (const read of readersOf(parameter, sentParameter)) {
    let hasErrors = false
    const noteError = () => {
      hasErrors = true
    }
    const largeIntegers: Parameters<NoteLarge>[] = []
    const noteLarge: NoteLarge = (...integer) => void largeIntegers.push(integer)
    const attempt = { ...reading, report: noteError, reportRounded: noteError, noteLarge }

    const value = read(parameter, sentParameter, attempt)
    const isFitting = !hasErrors && (value === undefined || reading.fits(parameter, value))
    if (isFitting) {
      for (const integer of largeIntegers) {
        reading.noteLarge(...integer)
      }
      return value
    }
  }
  const [first = readText] = readersOf(parameter, sentParameter)
  return first(parameter, sentParameter, reading)
}

/** Returns the functions that may read a parameter of several types, the most specific first. */
function readersOf({ row }: ReadParameter, { texts, members }: SentParameter): ReadValue[] {
  const types = typesOf(row)
  if (members.length > 0) {
    return [readObject]
  }

  const structures = [
    ...(types.includes('array') ? [readArray] : []),
    ...(types.includes('object') ? [readObject] : []),
  ]
  if (texts.length > 1 && structures.length > 0) {
    return structures
  }
  const readString: ReadValue = (parameter, sentParameter, reading) => {
    return readText({ ...parameter, row: { ...row, type: 'string' } }, sentParameter, reading)
  }
  return [readText, ...(types.includes('string') ? [readString] : []), ...structures]
}

const readers: Readonly<Record<ReadParameter['kind'], ReadValue>> = {
  text: readText,
  json: readJson,
  jsonList: readJsonList,
  array: readArray,
  object: readObject,
  several: readSeveral,
}

/** Returns one text, decoded; reports that there are several. */
function decodeOne(name: string, texts: readonly string[], reading: Reading): string {
  return reading.decode(chooseOne(name, texts, reading))
}

/** Returns the text that counts; reports that there are several, unless the settings choose one of them. */
function chooseOne(
  name: string,
  texts: readonly string[],
  { report, repeatedParameters }: Reading,
): string {
  const [first = ''] = texts
  if (texts.length <= 1) {
    return first
  }
  if (repeatedParameters === 'reject') {
    report(name, `must be given once, not ${texts.length} times`)
  }
  return repeatedParameters === 'last' ? (texts.at(-1) ?? '') : first
}
