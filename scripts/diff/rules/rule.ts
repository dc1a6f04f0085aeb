import type { Bump } from '../contract-diff.ts'

/** A kind of change, with what it means for the version and for consumers. */
export interface Rule<Facts> {
  /** What has changed, as the table of rules says it. */
  readonly title: string
  readonly bump: Exclude<Bump, 'none'>
  /** Returns what has changed in one description, in a sentence. */
  readonly what: (facts: Facts) => string
  readonly consequence: string
  /** Set where only what people read has changed. */
  readonly isRewording?: true
  /** Set where successful responses promise more than before, which stored values may not keep. */
  readonly narrowsResponses?: true
}

/** Creates a rule: what it is about, its bump, the sentence, and the sentence for consumers. */
export function rule<Facts>(
  title: string,
  bump: Rule<Facts>['bump'],
  what: (facts: Facts) => string,
  consequence: string,
  more: Pick<Rule<Facts>, 'isRewording' | 'narrowsResponses'> = {},
): Rule<Facts> {
  return { title, bump, what, consequence, ...more }
}

/** What a sentence is about, such as "`name` of `Order`". */
export interface About {
  readonly subject: string
}

export interface Changed extends About {
  readonly before: unknown
  readonly after: unknown
}

export interface Named extends About {
  readonly name: string
}

/** Returns a value of a description as a sentence shows it, between backticks on one line. */
export function show(value: unknown): string {
  const written = typeof value === 'string' ? value : JSON.stringify(value)
  const text = (written ?? 'nothing').replaceAll('`', "'").replaceAll(/\s+/g, ' ')
  return `\`${text.length > 80 ? `${text.slice(0, 77)}…` : text}\``
}

export function showAll(values: readonly unknown[]): string {
  return values.map(show).join(', ')
}

/** Returns the words for a keyword that has another value, or none any more. */
export function describeChange(keyword: string, { subject, before, after }: Changed): string {
  const state = after === undefined ? 'no longer stated' : `now ${show(after)}`
  const old = before === undefined ? '' : `; it was ${show(before)}`
  return `\`${keyword}\` of ${subject} is ${state}${old}`
}

export const sentences = {
  omitted: 'Requests may omit it; those that are sent today stay valid.',
  rejected: 'Requests that were valid are now rejected with 400.',
  stillValid: 'Requests may use it; those that are sent today stay valid.',
  reworded: 'Only what people read has changed; programs work as before.',
  otherForm: 'Requests that write it as today are rejected or misread.',
  promised: 'Responses promise more than before; code works as before.',
  surprising:
    'Responses may contain what the last release ruled out: prepare code that relies on it.',
  errorsMayGrow: 'Error responses may contain it; code that decides by the status is not affected.',
  different: 'Code that relies on how it was fails or misreads.',
  notSent: 'No request and no response is affected by this alone.',
  sameOnWire: 'Requests and responses are the same.',
}

export const isNew = ({ subject }: About) => `${subject} is new`
export const isNewAndRequired = ({ subject }: About) => `${subject} is new and required`
export const wasRemoved = ({ subject }: About) => `${subject} was removed`
export const wasChanged = ({ subject, name }: Named) => `${show(name)} of ${subject} was changed`

/** Returns a function for the sentence on a keyword that has another value. */
export function changeOf(keyword: string): (facts: Changed) => string {
  return (facts) => describeChange(keyword, facts)
}

/** Returns a function for the sentence on a state that begins or ends. */
export function becomes(state: string): (facts: About) => string {
  return ({ subject }) => `${subject} is ${state}`
}
