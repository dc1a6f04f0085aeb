import type { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent } from '@opentelemetry/core'
import type { Request, RequestHandler, Response } from 'express'
import { withoutApiKeys } from '../../auth/api-key.ts'
import { isProbe } from '../health.ts'

/** The methods that may be told apart; callers make up others. */
const methods = new Set('GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH QUERY'.split(' '))

/**
 * Makes the step that makes a span of each request, in the words of the semantic conventions for
 * HTTP servers, below the one that a `traceparent` (W3C Trace Context) names.
 */
export function traceRequests(
  tracer: Tracer,
  current: AsyncLocalStorage<Context>,
  basePath: string,
): RequestHandler {
  return function step(request, response, next) {
    if (isProbe(response.locals.path)) return next()
    const parent = parentOf(request)
    const { verb, attributes } = describe(request, response)
    const span = tracer.startSpan(verb, { kind: SpanKind.SERVER, attributes }, parent)
    response.locals.traceId = span.spanContext().traceId
    if (!span.isRecording()) return next()
    response.once('close', () => {
      const { operation } = response.locals
      if (operation !== undefined) {
        const route = basePath + operation.path
        span.updateName(`${verb} ${route}`)
        span.setAttribute('http.route', route)
        span.setAttribute('animal_store.operation_id', operation.operationId)
      }
      span.setAttributes(outcomeOf(response))
      if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    })
    current.run(trace.setSpan(parent, span), next)
  }
}

// The `tracestate` is for those that are called further on: nobody is.
function parentOf({ headers }: Request): Context {
  const sent = headers['traceparent']
  const parent = typeof sent === 'string' ? parseTraceParent(sent) : null
  if (parent === null) return ROOT_CONTEXT
  return trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true })
}

/** What is known of a request before it is answered. The query is left out: it may hold anything. */
function describe({ method, protocol }: Request, { locals }: Response) {
  const { path, requestId } = locals
  const isKnown = methods.has(method)
  const attributes: Attributes = {
    'http.request.method': isKnown ? method : '_OTHER',
    'url.path': withoutApiKeys(path),
    'url.scheme': protocol,
    'animal_store.request_id': requestId,
  }
  if (!isKnown) attributes['http.request.method_original'] = method
  return { verb: isKnown ? method : 'HTTP', attributes }
}

function outcomeOf({ locals, statusCode, writableFinished }: Response): Attributes {
  const { callerId, errorCode } = locals
  const attributes: Attributes = {}
  if (callerId !== undefined) attributes['animal_store.key_id'] = callerId
  if (errorCode !== undefined) attributes['animal_store.error_code'] = errorCode
  if (!writableFinished) return { ...attributes, 'error.type': 'caller_gone' }
  attributes['http.response.status_code'] = statusCode
  if (statusCode >= 500) attributes['error.type'] = `${statusCode}`
  return attributes
}
