import { hasNoContent, readDeclared } from './declared-responses.ts'
import { responseError } from './errors.ts'
import { toBody } from './item-stream.ts'
import type { CallOptions, Rules } from './options.ts'
import { withResponse } from './pagination.ts'
import { toFields } from './parameters.ts'
import type { Call } from './request.ts'
import type { ContentCall, CreateResult, ReadContent } from './response-content.ts'

/** The options of a call whose success may have several media types. */
export interface AcceptOptions<Type = string> {
  /** The media type of the response, which decides on the type of the result; JSON by default. */
  readonly accept?: Type | undefined
}

/** The rules of these options. */
export const acceptRules: Rules<AcceptOptions> = {
  accept: ['a string', (value) => typeof value === 'string'],
}

/** Reads the content of a media type that the call has chosen as it is, and JSON otherwise. */
export const readAccepted: ReadContent = (call, result) => {
  const { data, error, response } = result
  if (call.receiving === undefined) {
    return readDeclared(call, result)
  }
  if (hasNoContent(call, response)) {
    return undefined
  }
  if (!response.ok) {
    throw responseError(call, response, error)
  }
  return data ?? new Blob().stream()
}

/** Creates the result of a call in the media type that it has chosen; undefined for the usual result, JSON. */
export const createAccepted: CreateResult = (call) => {
  const { operation, options } = call
  const { accepted = {} } = operation.responses ?? {}
  const { accept }: AcceptOptions & CallOptions = options
  if (accept === undefined) {
    return undefined
  }

  const chosen = Object.hasOwn(accepted, accept) ? accepted[accept] : undefined
  if (chosen === undefined) {
    const names = Object.keys(accepted).join(', ')
    const message = `The response has no media type ${accept}. Allowed: ${names}.`
    return withResponse(Promise.reject(new TypeError(message)))
  }

  const { items, create } = chosen
  return create?.({
    ...call,
    operation: { ...operation, responses: { items, read: readAccepted } },
    options: { ...options, headers: { Accept: accept, ...toFields(options.headers) } },
    send: sendFor(call, accept),
  })
}

/** Returns the function that sends a call, whose response must have a media type. */
function sendFor({ send }: ContentCall, accept: string): ContentCall['send'] {
  return (query, read, options, receiving) => {
    return send(
      query,
      (content, call, sentQuery, response) => {
        assertType(content, call, response, accept)
        return read(content, call, sentQuery, response)
      },
      options,
      receiving,
    )
  }
}

/** Throws an error if content has another media type than the call has chosen. */
function assertType(content: unknown, call: Call, response: Response, accept: string): void {
  const received = response.headers.get('content-type') ?? ''
  const body = toBody(content)
  if (body !== undefined && essenceOf(received) !== essenceOf(accept)) {
    body.cancel().catch(() => undefined)
    throw responseError(call, response, undefined, `, not ${accept}`)
  }
}

/** Returns a media type without its parameters. */
function essenceOf(type: string): string {
  return type.replace(/;.*/, '').trim().toLowerCase()
}

/** Creates the result of a call whose content is a text. */
export const createText: CreateResult = ({ query, options, send }) => {
  const read = (content: unknown) => {
    return content === undefined ? undefined : new Response(toBody(content)).text()
  }
  return withResponse(send(query, read, options, { isWhole: true }))
}

/** Creates the result of a call whose content is JSON of another media type than the usual one. */
export const createJson: CreateResult = ({ query, options, send }) => {
  const read = async (content: unknown, call: Call, _query: unknown, response: Response) => {
    if (content === undefined) {
      return undefined
    }
    return new Response(toBody(content)).json().catch((error: unknown) => {
      const isNoJson = error instanceof SyntaxError
      throw isNoJson ? responseError(call, response, undefined, ', not JSON') : error
    })
  }
  return withResponse(send(query, read, options, { isWhole: true }))
}
