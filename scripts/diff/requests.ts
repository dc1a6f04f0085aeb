import { count, toLine } from './usage.ts'

/** What a description does with the requests of a recording, compared with the one before it. */
export interface RecordedRequests {
  readonly file: string
  /** How many of its requests are those of an operation, in either description. */
  readonly requests: number
  /** How many entries are other requests, such as those of pictures. */
  readonly others: number
  /** How many requests both descriptions reject. */
  readonly rejectedBefore: number
  /** The requests that are rejected now, and were accepted before. */
  readonly rejected: readonly RejectedRequest[]
  /** Entries of requests that cannot be sent again. */
  readonly unreadable: readonly { readonly entry: number; readonly reason: string }[]
}

/** A request that a description rejects. */
export interface RejectedRequest {
  /** Its number among the entries of the recording, from 1. */
  readonly entry: number
  readonly operationId: string
  /** Such as `GET /orders/{orderId}`. */
  readonly operation: string
  readonly status: number
  /** One sentence for each place that is wrong, without what was sent. */
  readonly reasons: readonly string[]
}

/** How many requests are named for people; programs get all. */
const shownRequests = 100
/** How many entries are named that cannot be sent again. */
const shownEntries = 10

/** Returns how many requests of a recording are rejected. */
export function summarizeRequests(recorded: RecordedRequests): string {
  const { file, requests, rejected, rejectedBefore, others, unreadable } = recorded
  const number = rejected.length === 0 ? 'none' : rejected.length.toLocaleString('en-US')
  const now = `${number} ${rejected.length > 1 ? 'are' : 'is'}`
  const was = rejectedBefore === 1 ? 'was' : 'were'
  const before =
    rejectedBefore === 0
      ? ''
      : `; ${rejectedBefore.toLocaleString('en-US')} ${was} rejected before, too`
  const total = count(requests, 'recorded request')
  const parts = [`${file}: of ${total}, ${now} rejected by the edited contract${before}.`]
  if (others > 0) {
    const noun = others === 1 ? 'entry is no request' : 'entries are no requests'
    parts.push(`${others.toLocaleString('en-US')} other ${noun} to this API.`)
  }
  if (unreadable.length > 0) {
    parts.push(describeUnreadable(unreadable))
  }
  return parts.join(' ')
}

function describeUnreadable(unreadable: RecordedRequests['unreadable']): string {
  const entries = unreadable.slice(0, shownEntries)
  const reasons = entries.map(({ entry, reason }) => `${entry} (${reason})`)
  const more = unreadable.length - entries.length
  const omitted = more === 0 ? '' : `, and ${more} more`
  return `Not checked, because they cannot be sent again: entry ${reasons.join(', ')}${omitted}.`
}

/** Returns what is wrong with a rejected request, in one line. */
export function describeRejected({ status, reasons }: RejectedRequest): string {
  // A reason may have the name of a parameter, which may have control characters.
  return toLine(`${status}: ${reasons.join('; ')}`)
}

/** Returns the first rejected requests, to show to people, and a line about the rest if there are more. */
export function selectRejected({ rejected }: RecordedRequests) {
  const first = rejected.slice(0, shownRequests)
  const omitted = rejected.slice(shownRequests)
  if (omitted.length === 0) {
    return { first, rest: undefined }
  }
  const byOperation = Map.groupBy(omitted, ({ operationId }) => operationId)
  const counts = Array.from(byOperation, ([id, requests]) => `${id} ${requests.length}`)
  const rest = `And ${omitted.length} more (${counts.join(', ')}); all are shown by --format json.`
  return { first, rest }
}
