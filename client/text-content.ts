import { hasNoContent } from './declared-responses.ts'
import { responseError } from './errors.ts'
import { type ReadContent, readJson } from './response-content.ts'

/** Returns whether the content of a response is JSON. */
export function isJson({ headers }: Response): boolean {
  return /^[^;]*[/+]json *(?:;|$)/i.test(headers.get('content-type') ?? '')
}

/** Reads text, such as XML; JSON where an operation has that as well. */
export const readText: ReadContent = (call, result) => {
  const { data, error, response } = result
  if (hasNoContent(call, response)) {
    return undefined
  }
  if (!response.ok) {
    throw responseError(call, response, error)
  }
  return isJson(response) ? readJson(call, result) : String(data ?? '')
}
