import { describedOperation, findByStatus } from '../contract/contract.ts'
import { ApiError, shorten } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import { isWithoutContent } from '../description/content-reader.ts'
import type { Description, Header, MediaType, Response } from '../description/description.ts'
import {
  findMediaType,
  isJsonType,
  isRange,
  json,
  jsonTypesOf,
} from '../description/media-types.ts'
import { fileTypeOf } from './sample-files.ts'
import { examplesOf } from './samples.ts'

/** What `Prefer` asks for: `code` and `example`, if they were sent. */
export type Preferences = ReadonlyMap<string, string>

/** Reads `code` and `example` from `Prefer` (RFC 7240); the first of several counts. */
export function readPreferences(fields: readonly string[]): Preferences {
  const preference = /(?:^|[,;])\s*(code|example)\s*=\s*(?:"([^"]*)"|([^\s",;]*))/gi
  const preferences = new Map<string, string>()

  for (const [, name = '', quoted, plain = ''] of fields.join().matchAll(preference)) {
    const key = name.toLowerCase()
    if (!preferences.has(key)) {
      preferences.set(key, quoted ?? plain)
    }
  }

  return preferences
}

/** Prints the preferences that were applied, as a header field has them. */
export function printPreferences(preferences: Preferences): string {
  const applied = Array.from(preferences, ([name, value]) =>
    /^[\w.-]+$/.test(value) ? `${name}=${value}` : `${name}="${value}"`,
  )
  return applied.join(', ')
}

/** A response that a mock may send. */
export interface DeclaredResponse {
  /** Its key in the description, such as `200`, `4XX` or `default`. */
  readonly name: string
  readonly status: number
  readonly headers: readonly Header[]
  readonly content: MediaType | undefined
  readonly mediaType: string
  readonly examples: ReadonlyMap<string, unknown>
}

/**
 * Returns the responses of an operation by ascending status code; a range or `default` has its usual one. The
 * content is that of a media type, or else of JSON.
 */
export function declaredResponses(
  description: Description,
  operation: Operation,
  acceptedMediaType: string | undefined,
): readonly DeclaredResponse[] {
  const { responses } = describedOperation(description, operation)
  const declared = responses.map((response) => {
    const { status, headers } = response
    const content = chooseContent(response, acceptedMediaType)
    const mediaType = content === undefined ? json : sampleType(content.name, acceptedMediaType)
    const examples = examplesOf(content, description.documents)
    return { name: status, status: usualStatus(response), headers, content, mediaType, examples }
  })
  return declared.toSorted((one, other) => one.status - other.status)
}

/** Returns the media type of a sample; of a range it is the one that the client prefers, if it names one. */
export function sampleType(declared: string, accepted: string | undefined): string {
  const [ofJson] = jsonTypesOf([declared])
  if (ofJson !== undefined || !isRange(declared)) {
    return ofJson ?? declared
  }
  const isNamed = accepted !== undefined && !isRange(accepted)
  const isOfRange = isNamed && findMediaType([declared], accepted) !== undefined
  if (isOfRange) {
    return accepted
  }
  const ofText = declared === 'text/*' ? 'text/plain' : undefined
  return ofText ?? fileTypeOf(declared) ?? declared.replace('*', 'x-sample')
}

/** The usual statuses of ranges. */
const ofRanges: Readonly<Record<string, number>> = {
  '2XX': 200,
  '3XX': 302,
  '4XX': 400,
  '5XX': 500,
}

function usualStatus({ status, isSuccess }: Response): number {
  if (/^\d+$/.test(status)) {
    return Number(status)
  }
  return ofRanges[status] ?? (isSuccess ? 200 : 500)
}

/** Returns the content of a media type, or else of JSON, or the first; undefined if there is none. */
export function chooseContent(
  { content }: Response,
  acceptedMediaType: string | undefined,
): MediaType | undefined {
  const names = content.map(({ name }) => name)
  const wanted = acceptedMediaType ?? json
  const name = findMediaType(names, wanted) ?? findMediaType(names, json) ?? names.find(isJsonType)
  return content.find((each) => each.name === name) ?? content[0]
}

/** Returns the response of a code: its own, or that of its range or default with this code. */
function findByCode(
  responses: readonly DeclaredResponse[],
  code: string,
): DeclaredResponse | undefined {
  if (!/^[1-5]\d\d$/.test(code)) {
    return undefined
  }
  const declared = findByStatus(responses, code, ({ name }) => name)
  if (declared === undefined) {
    return undefined
  }
  const content = isWithoutContent(code) ? undefined : declared.content
  return { ...declared, status: Number(code), content }
}

/** Returns the response that is preferred, else the first success; throws an `ApiError` if there is none. */
export function choose(
  responses: readonly DeclaredResponse[],
  { operationId }: Operation,
  preferences: Preferences,
): DeclaredResponse {
  const reject = (what: string): ApiError => {
    // The 501 of an operation without a sample has no example, and nothing to choose.
    const listed = responses.filter(({ status, examples }) => status !== 501 || examples.size > 0)
    const list = listed.map(({ status, examples }) =>
      examples.size === 0 ? `${status}` : `${status} (${[...examples.keys()].join(', ')})`,
    )
    const message = `${operationId} has ${what}. It has: ${list.join('; ')}.`
    const detail = 'asks for what the contract does not have'
    const details = [{ path: '/headers/prefer', message: detail }]
    return new ApiError({ status: 400, code: 'invalid_request' }, message, { details })
  }

  const code = preferences.get('code')
  const example = preferences.get('example')
  const success = responses.find(({ status }) => status >= 200 && status < 300) ?? responses[0]
  const wanted = code === undefined ? undefined : findByCode(responses, code)
  const chosen = code === undefined ? success : wanted

  if (chosen === undefined) {
    throw reject(`no response with the code "${shorten(code ?? '')}"`)
  }

  if (example !== undefined && !chosen.examples.has(example)) {
    throw reject(`no example "${shorten(example)}" of its ${chosen.status}`)
  }

  return chosen
}
