import type { components } from '../../../generated/openapi.d.ts'
import { type Detail, Refusal, type Refused } from './refusal.ts'
import type { AnyReply } from './reply.ts'

/** Characters that an error repeats of a request. */
export const longestEcho = 100

/** Faults that an error lists. */
export const mostDetails = 100

/** The declared answer of a handler that has bad news: the Error object under its status. */
export function failure<Status extends Refused['status'], Code extends CodeOf<Status>>(
  status: Status,
  code: Code,
  message: string,
  details?: Detail[],
) {
  const body = { code, message, status, ...(details === undefined ? {} : { details }) }
  return { status, body } as const
}

type CodeOf<Status> = Extract<Refused, { readonly status: Status }>['code']

/** The answer to a request that was refused; its details are bounded in number and length. */
export function toReply(refusal: Refusal): AnyReply {
  const { status, headers, details } = refusal
  return { status, headers, body: toErrorBody(refusal, details) }
}

function toErrorBody({ code, message, status }: Refusal, details: readonly Detail[]) {
  const listed = details.slice(0, mostDetails).map(({ path, message }) => ({
    path: shorten(path),
    message: shorten(message, 2 * longestEcho),
  }))
  return { code, message, status, ...(listed.length === 0 ? {} : { details: listed }) }
}

/** Cuts a text that is too long, between code points: half a surrogate pair is not I-JSON. */
export function shorten(text: string, longest = longestEcho): string {
  if (text.length <= longest) return text
  const characters = [...text.slice(0, longest)]
  return `${characters.slice(0, -1).join('')}…`
}

/** The refusal for whatever went wrong inside; says nothing of the inside. */
export function internalError(cause: unknown): Refusal {
  const message =
    'The service failed to answer. Quote the X-Request-Id header when you ask for help.'
  return new Refusal({ status: 500, code: 'internal_error' }, message, { cause })
}

/** The refusal of a request that breaks the contract, with each fault that is to be listed. */
export function invalidRequest(details: readonly Detail[], count = details.length): Refusal {
  const places = count === 1 ? '1 place' : `${count} places`
  const message = `The request breaks the contract in ${places}.`
  return new Refusal({ status: 400, code: 'invalid_request' }, message, { details })
}

export type ErrorBody = components['schemas']['Error']
