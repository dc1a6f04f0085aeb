import { describedOperation } from '../contract/contract.ts'
import { ApiError, shorten } from '../contract/errors.ts'
import type { Operation } from '../contract/operation.ts'
import type { Description } from '../description/description.ts'
import { json } from '../description/media-types.ts'
import { examplesOf } from './samples.ts'

/** What `Prefer` asks for: `code` and `example`, if they were sent. */
export type Preferences = ReadonlyMap<string, string>

/** Reads `code` and `example` from `Prefer` (RFC 7240); the first of several counts. */
export function readPreferences(fields: readonly string[]): Preferences {
  const preference = /(?:^|[,;])\s*(code|example)\s*=\s*(?:"([^"]*)"|([^\s",;]*))/gi
  const found = new Map<string, string>()

  for (const [, name = '', quoted, plain = ''] of fields.join().matchAll(preference)) {
    const key = name.toLowerCase()
    if (!found.has(key)) {
      found.set(key, quoted ?? plain)
    }
  }

  return found
}

/** Prints the preferences that were applied, as a header field has them. */
export function printPreferences(preferences: Preferences): string {
  const applied = Array.from(preferences, ([name, value]) =>
    /^[\w.-]+$/.test(value) ? `${name}=${value}` : `${name}="${value}"`,
  )
  return applied.join(', ')
}

/** Returns the responses of an operation by ascending status code; not of ranges or `default`. */
export function declaredResponses(description: Description, operation: Operation) {
  const { responses } = describedOperation(description, operation)
  const ofStatus = responses.filter(({ status }) => /^\d{3}$/.test(status))
  const declared = ofStatus.map(({ status, headers, content: all }) => {
    const content = all.find(({ name }) => name === json) ?? all[0]
    const mediaType = content?.name ?? json
    const examples = examplesOf(content, description.documents)
    return { status: Number(status), headers, content, mediaType, examples }
  })
  return declared.toSorted((one, other) => one.status - other.status)
}

export type DeclaredResponse = ReturnType<typeof declaredResponses>[number]

/** Returns the response that is preferred, else the first success; throws an `ApiError` if there is none. */
export function choose(
  responses: readonly DeclaredResponse[],
  { operationId }: Operation,
  preferences: Preferences,
): DeclaredResponse {
  const reject = (what: string): ApiError => {
    const list = responses.map(({ status, examples }) =>
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
  const wanted = responses.find(({ status }) => String(status) === code)
  const chosen = code === undefined ? success : wanted

  if (chosen === undefined) {
    throw reject(`no response with the code "${shorten(code ?? '')}"`)
  }

  if (example !== undefined && !chosen.examples.has(example)) {
    throw reject(`no example "${shorten(example)}" of its ${chosen.status}`)
  }

  return chosen
}
