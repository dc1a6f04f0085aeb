import type { Client } from 'openapi-fetch'
import type { paths } from '../generated/openapi.d.ts'
import type { Call, Row } from './call.ts'
import { createCourse } from './course.ts'
import { type FetchResult, readContent } from './fetch-result.ts'
import type { Line } from './line.ts'
import { toPage } from './next-page.ts'
import { Outgoing } from './outgoing.ts'
import { sendOnCourse } from './resilient-fetch.ts'

// The row decides at run time what the types of openapi-fetch decide at compile time.
type Request = (method: string, path: string, init: object) => Promise<FetchResult>

/** Sends a call through an openapi-fetch client, and gives the content of its answer. */
export async function sendCall(
  line: Line,
  raw: Client<paths>,
  row: Row,
  { body, options, ...params }: Call,
): Promise<unknown> {
  const course = createCourse(line, options, row)
  const init = {
    params,
    body,
    parseAs: 'text',
    ...(line.isPlain && { Request: Outgoing }),
    fetch: (request: globalThis.Request | Outgoing) => sendOnCourse(course, request),
  }
  const result = await (raw.request as Request)(row.method, row.path, init)
  const content = readContent(course, result)
  return row.cursor ? toPage(course, params.query, content, result.response) : content
}
