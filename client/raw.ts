import createFetchClient, { type Client } from 'openapi-fetch'
import type { paths } from '../generated/openapi.d.ts'
import { createCourse } from './course.ts'
import type { Line } from './line.ts'
import type { AnimalStoreOptions } from './options.ts'
import { receive } from './received.ts'
import { sendOnCourse } from './resilient-fetch.ts'

/** Makes the openapi-fetch client, and tells whether middleware was ever put into it. */
export function createRaw(options: AnimalStoreOptions, line: Line) {
  let isPlain = true
  const raw: Client<paths> = createFetchClient<paths>({
    baseUrl: options.baseUrl,
    headers: { Authorization: `Bearer ${options.apiKey}` },
    // To follow one may turn a POST into a GET, whose page would pass for what was created.
    redirect: 'manual',
    fetch(request) {
      const { method, url, signal } = request
      const operationId = `${method} ${new URL(url).pathname}`
      const course = createCourse(options, { signal }, { operationId, row: undefined, receive })
      return sendOnCourse(line, course, request)
    },
  })
  const { use } = raw
  raw.use = (...middleware) => {
    isPlain = false
    use(...middleware)
  }
  return { raw, isPlain: () => isPlain }
}
