import type { Request, Response } from 'express'
import type { AnyContext } from '../contract/handler.ts'
import { respond, respondError } from '../contract/handler-response.ts'
import type { Operation } from '../contract/operation.ts'
import { encodePath } from '../contract/percent-encoding.ts'
import { writeQuery } from '../contract/query-writer.ts'
import { fingerprintOf } from './fingerprint.ts'

const noIntegers: ReadonlyMap<string, string> = new Map()

/** What a handler gets beside the values of its request. */
export class HandlerContext implements AnyContext {
  readonly caller: AnyContext['caller']
  readonly callerId: AnyContext['callerId']
  readonly acceptedMediaType: AnyContext['acceptedMediaType']
  readonly exactIntegers: AnyContext['exactIntegers']
  readonly lastEventId: AnyContext['lastEventId']
  readonly prefer: AnyContext['prefer']
  readonly hrefWith: AnyContext['hrefWith']
  readonly fingerprint: AnyContext['fingerprint']
  readonly respond = respond
  readonly respondError = respondError
  readonly #response: Response
  #signal: AbortSignal | undefined

  constructor({ parameters }: Pick<Operation, 'parameters'>, request: Request, response: Response) {
    const { method, headers, headersDistinct } = request
    const { locals } = response
    this.caller = locals.caller
    this.callerId = locals.caller?.id
    this.acceptedMediaType = locals.acceptedMediaType
    this.exactIntegers = locals.exactIntegers ?? noIntegers
    this.lastEventId = toText(headers['last-event-id'])
    this.prefer = headersDistinct['prefer'] ?? []
    this.hrefWith = (values) => hrefWith(values, parameters.query, locals)
    this.fingerprint = (body) => fingerprintOf(method, locals, body)
    this.#response = response
  }

  // Few handlers need it, and an object literal with a getter takes V8 as long as the rest of a request.
  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#response)
    return this.#signal
  }
}

/** Returns the relative reference to the path of a request with other values, without credentials. */
function hrefWith(
  values: Readonly<Record<string, unknown>>,
  parameters: Operation['parameters']['query'],
  { path, credentialNames }: Express.Locals,
): string {
  const query = writeQuery(withoutNames(values, credentialNames), parameters)
  return query === '' ? encodePath(path) : `${encodePath(path)}?${query}`
}

function withoutNames(
  values: Readonly<Record<string, unknown>>,
  names: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  if (names.size === 0) {
    return values
  }
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)))
}

/** Returns the text of a header field of UTF-8, which node:http reads as Latin-1 (HTML, section 9.2.4). */
function toText(field: string | string[] | undefined): string | undefined {
  return typeof field === 'string' ? Buffer.from(field, 'latin1').toString() : undefined
}

/** Returns a signal that is aborted when a response is over. */
function signalOf(response: Response): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) {
    controller.abort()
  }
  response.once('close', () => controller.abort())
  return controller.signal
}
