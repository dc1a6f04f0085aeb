import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../generated/openapi.d.ts'
import { createCourse } from './course.ts'
import type { Line } from './line.ts'
import { sendOnCourse } from './resilient-fetch.ts'

/** Makes the openapi-fetch client that everything is sent through. */
export function createRaw(line: Line): Client<paths> {
  const raw = createFetchClient<paths>({
    baseUrl: line.baseUrl,
    headers: { Authorization: `Bearer ${line.apiKey}` },
    // To follow one may turn a POST into a GET, whose page would pass for what was created.
    redirect: 'manual',
    fetch(request) {
      const { method, url, signal } = request
      const operationId = `${method} ${new URL(url).pathname}`
      return sendOnCourse(createCourse(line, { signal }, { operationId }), request)
    },
  })
  const { use } = raw
  raw.use = (...middleware) => {
    line.isPlain = false
    use(...middleware)
  }
  return raw
}
