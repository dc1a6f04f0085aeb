import type { Call, Row } from './call.ts'
import { type Course, createCourse } from './course.ts'
import { type FetchResult, readContent, unexpected } from './fetch-result.ts'
import { createLine } from './line.ts'
import { readNextQuery } from './next-page.ts'
import type { AnimalStoreOptions } from './options.ts'
import type { AnyPage } from './pages.ts'
import { createRaw } from './raw.ts'
import { receive, receiveText } from './received.ts'
import { sendOnCourse } from './resilient-fetch.ts'

// The row decides at run time what the types of openapi-fetch decide at compile time.
type Send = (method: string, path: string, init: object) => Promise<FetchResult>

/** Makes the openapi-fetch client, and what sends the calls of a row through it. */
export function createCaller(options: AnimalStoreOptions) {
  const line = createLine(options)
  const { raw, isPlain } = createRaw(options, line)

  async function call(row: Row, { path, query, header, body, options: own }: Call) {
    const { operationId, method } = row
    // Middleware may read an answer in any way.
    const how = isPlain() ? receiveText : receive
    const course: Course = createCourse(options, own, { operationId, row, receive: how })
    const result = await (raw.request as Send)(method, row.path, {
      params: { path, query, header },
      body,
      parseAs: 'text',
      fetch: (request: Request) => sendOnCourse(line, course, request),
    }).catch((error) => {
      // openapi-fetch does not pass on a reason such as null, and middleware may change any.
      own.signal?.throwIfAborted()
      throw error
    })
    return { course, result, content: readContent(course, result) }
  }

  async function getPage(row: Row, wanted: Call): Promise<AnyPage> {
    const { course, result, content } = await call(row, wanted)
    if (!Array.isArray(content)) throw unexpected(course, result.response)
    const items: unknown[] = content
    return Object.assign(items, { next: readNextQuery(course, wanted.query, result.response) })
  }

  return { raw, call, getPage }
}
