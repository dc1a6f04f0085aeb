import { isJsonSequence, kindOf, recordSeparator } from '../description/content-kind.ts'
import { isObject } from '../description/json.ts'
import type { StreamItems } from '../description/stream-items.ts'

/** How the items of a stream are written. */
export interface ItemFormat {
  /** Returns an item as it is sent. */
  readonly print: (item: unknown) => string
  /** Returns what of an item its media type cannot express. */
  readonly findViolations: (item: unknown) => readonly string[]
  /** Whether the stream consists of server-sent events, which may have comments, and whose clients reconnect. */
  readonly isEvents: boolean
}

/** What keeps the connection of an idle stream of events open: a comment (HTML, section 9.2.7). */
export const comment = ':\n'

/** Returns how the items of a stream are written in its media type. */
export function formatOf(mediaType: string, items: StreamItems): ItemFormat {
  if (kindOf(mediaType) !== 'events') {
    const start = isJsonSequence(mediaType) ? recordSeparator : ''
    const print = (item: unknown) => `${start}${JSON.stringify(item)}\n`
    return { print, findViolations: (item) => findUnprintable(item, '/item'), isEvents: false }
  }

  const toEvent = (item: unknown) => (items.isWholeEvent ? readEvent(item) : { data: item })
  return {
    print: (item) => printEvent(toEvent(item), items),
    findViolations: (item) => findEventViolations(toEvent(item)),
    isEvents: true,
  }
}

/** A server-sent event. */
interface ServerSentEvent {
  readonly event?: unknown
  readonly id?: unknown
  readonly retry?: unknown
  readonly data?: unknown
}

function readEvent(item: unknown): ServerSentEvent {
  return isObject(item) ? item : {}
}

/** Writes an event as a stream has it (HTML, section 9.2.5). */
function printEvent(
  { event, id, retry, data }: ServerSentEvent,
  items: Pick<StreamItems, 'isJsonData' | 'hasTextData'>,
): string {
  const fields = [
    ...(event === undefined ? [] : [`event: ${withoutBreaks(event)}`]),
    ...(id === undefined ? [] : [`id: ${withoutBreaks(id)}`]),
    ...(retry === undefined ? [] : [`retry: ${withoutBreaks(retry)}`]),
    ...(data === undefined ? [] : printData(data, items)),
  ]
  return `${fields.join('\n')}\n\n`
}

function printData(
  data: unknown,
  { isJsonData, hasTextData }: Pick<StreamItems, 'isJsonData' | 'hasTextData'>,
): readonly string[] {
  const isText = typeof data === 'string' && (hasTextData || !isJsonData)
  const text = isText ? data : JSON.stringify(data)
  return text.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)
}

/** Returns the last event of a stream that ends with an error, whose body is that of an error response. */
export function printErrorEvent(body: string): string {
  const items = { isJsonData: false, hasTextData: true }
  return printEvent({ event: 'error', data: body }, items)
}

function withoutBreaks(value: unknown): string {
  return String(value).replaceAll(/[\r\n\0]/g, '')
}

function findEventViolations({ event, id, retry, data }: ServerSentEvent): readonly string[] {
  return [
    ...(hasBreak(event) ? ['/item/event must be one line'] : []),
    ...(hasBreak(id) ? ['/item/id must be one line without NUL'] : []),
    ...(isCount(retry) ? [] : ['/item/retry must be a whole number']),
    ...(data === undefined ? [] : findUnprintable(data, '/item/data')),
  ]
}

function hasBreak(value: unknown): boolean {
  return value !== undefined && /[\r\n\0]/.test(String(value))
}

function isCount(retry: unknown): boolean {
  return retry === undefined || /^\d+$/.test(String(retry))
}

function findUnprintable(value: unknown, path: string): readonly string[] {
  const type = typeof value
  const isValue = type !== 'undefined' && type !== 'function' && type !== 'symbol'
  return isValue ? [] : [`${path} is no JSON value`]
}
