/** The ways in which a schema is sent. */
export type Way = 'request' | 'response' | 'error'

/** What a schema is of: the first part of the ID of a rule. */
export const slots = [
  ...(['request-parameter', 'request-body', 'request-property'] as const),
  ...(['response-header', 'response-body', 'response-property'] as const),
  ...(['error-header', 'error-body', 'error-property'] as const),
]
export type Slot = (typeof slots)[number]

/** Returns the way in which what a slot names is sent. */
export function wayOf(slot: Slot): Way {
  if (slot.startsWith('request-')) {
    return 'request'
  }
  return slot.startsWith('response-') ? 'response' : 'error'
}
