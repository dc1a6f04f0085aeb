import type { Call } from './request.ts'
import { type ReadContent, readJson } from './response-content.ts'

/** Reads the responses of an operation that declares redirects, or statuses without content. */
export const readDeclared: ReadContent = (call, result) => {
  const { empty, redirects } = call.operation?.responses ?? {}
  const { error, response } = result
  if (isOneOf(response.status, redirects)) {
    // openapi-fetch takes it for an error, and parses it if it is JSON.
    return error === '' ? undefined : error
  }

  const isEmpty = response.ok && isOneOf(response.status, empty)
  return isEmpty ? undefined : readJson(call, result)
}

/** Returns whether a response is declared without content, or is a redirect that is a result. */
export function hasNoContent({ operation }: Call, { status, ok }: Response): boolean {
  const { empty, redirects } = operation?.responses ?? {}
  const isEmpty = status === 204 || isOneOf(status, empty)
  return (ok && isEmpty) || isOneOf(status, redirects)
}

/** Returns whether a list has a status, its range or `default`. */
function isOneOf(status: number, list: readonly (number | string)[] = []): boolean {
  const range = `${Math.floor(status / 100)}XX`
  return [status, range, 'default'].some((name) => list.includes(name))
}
