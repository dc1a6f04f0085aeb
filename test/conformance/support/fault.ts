/** What of an answer, or of what came of a request, is not as described. */
export type Aspect =
  /** Refused what is to be accepted, or the other way round, or with a status that says otherwise. */
  | 'outcome'
  /** The status, media type, headers or body are not those that are documented. */
  | 'answer'
  /** The answer tells of the inside of the service. */
  | 'leak'
  /** The fault is not said to be where it is. */
  | 'details'
  | 'request id'
  | 'deprecation'
  | 'methods'
  /** What was refused, or only asked for, has changed what is kept. */
  | 'store'
  /** What was added is not what is found afterwards. */
  | 'read back'

export interface Fault {
  readonly aspect: Aspect
  readonly message: string
}

export function faults(aspect: Aspect, messages: readonly string[]): Fault[] {
  return messages.map((message) => ({ aspect, message }))
}

/** One fault where something does not hold. */
export function unless(holds: boolean, aspect: Aspect, message: string): Fault[] {
  return holds ? [] : [{ aspect, message }]
}
