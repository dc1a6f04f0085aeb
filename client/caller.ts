import type { Client } from 'openapi-fetch'
import type { paths } from '../generated/openapi.d.ts'
import type { Call, Row } from './call.ts'
import { createDeprecationWatch } from './deprecation.ts'
import { AnimalStoreError } from './error.ts'
import { type FetchResult, readContent } from './fetch-result.ts'
import type { AnimalStoreOptions } from './options.ts'
import { createPacer } from './pacing.ts'
import { type AnyPage, nextQuery } from './pages.ts'
import { readRateLimit } from './rate-limit.ts'
import { redact } from './redaction.ts'
import { type Course, type Fetch, sendOnCourse } from './resilient-fetch.ts'
import { TimedOut } from './timeouts.ts'

// The row decides at run time what the types of openapi-fetch decide at compile time.
type Send = (method: string, path: string, init: object) => Promise<FetchResult>

/** Makes what sends calls, and the `fetch` for requests that are no calls of ours. */
export function createCaller(options: AnimalStoreOptions) {
  const { apiKey, onRetry, onRateLimit } = options
  const send: Fetch = options.fetch ?? ((request) => globalThis.fetch(request))
  const pacer = options.pace === true ? createPacer() : undefined
  const watch = createDeprecationWatch(options.onDeprecation)

  function createCourse(row: Row | undefined, own: Call['options'] = {}): Course {
    return {
      operationId: row?.operationId ?? 'a raw request',
      retry: own.retry ?? options.retry,
      timeout: own.timeout ?? options.timeout,
      signal: own.signal,
      onRetry,
      onResponse(response) {
        const rateLimit = readRateLimit(response.headers)
        if (rateLimit !== undefined) onRateLimit?.(rateLimit)
        if (row !== undefined) watch(row, response)
      },
      attempts: 0,
      url: '',
    }
  }

  async function call(raw: Client<paths>, row: Row, { options: own, ...sorted }: Call) {
    const course = createCourse(row, own)
    const { path, query, header, body } = sorted
    const init = { params: { path, query, header }, body, parseAs: 'text' }
    const fetch: Fetch = (request) => sendOnCourse(send, pacer, course, request)
    try {
      const result = await (raw.request as Send)(row.method, row.path, { ...init, fetch })
      const content = readContent(course, result)
      return { content, response: result.response, url: course.url }
    } catch (cause) {
      throw toFailure(course, cause, apiKey)
    }
  }

  async function getPage(raw: Client<paths>, row: Row, own: Call): Promise<AnyPage> {
    const { content, response, url } = await call(raw, row, own)
    const items: unknown[] = Array.isArray(content) ? content : []
    return Object.assign(items, { next: nextQuery(row, own.query, response, url) })
  }

  const fetch: Fetch = (request) => {
    const course = { ...createCourse(undefined), signal: request.signal }
    return sendOnCourse(send, pacer, course, request)
  }
  return { call, getPage, fetch }
}

function toFailure(course: Course, cause: unknown, apiKey: string): unknown {
  const { operationId, attempts, signal } = course
  // Whoever called it off knows why, and gets that back.
  if (cause instanceof AnimalStoreError || (signal?.aborted && cause === signal.reason))
    return cause
  const isLate = cause instanceof TimedOut
  const message = isLate
    ? cause.message
    : `No answer to ${operationId} came in ${attempts} attempts.`
  const code = isLate ? 'timeout' : 'network_error'
  return new AnimalStoreError(message, { operationId, code, attempts }, redact(cause, apiKey))
}
