import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'
import type { Description } from './conformance/description.ts'
import { headerValue, type Request } from './conformance/responses.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that collects which operations were called and which statuses they returned. */
    coverageFile: string | undefined
  }
}

/** Records a call of an operation, for the table at the end of the run. */
export function recordCall(
  { find }: Description,
  { method, path, headers }: Request,
  status: number,
): void {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const operation = find(method, pathname)
  const file = inject('coverageFile')
  if (operation === undefined || file === undefined) return
  // A parameter is covered by a request that succeeds.
  const sent = operation.parameters.filter(
    ({ name, in: place }) =>
      status < 300 &&
      (place === 'query' ? searchParams.has(name) : headerValue(headers, name) !== undefined),
  )
  const lines = [status, ...sent.map(({ name }) => name)]
  appendFileSync(file, lines.map((what) => `${operation.operationId} ${what}\n`).join(''))
}
