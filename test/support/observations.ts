import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'
import { basePath, operations } from '../../generated/operations.ts'
import { createRouteTable } from '../../server/contract/request/route-table.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that collects what operations were asked and answered, in the whole run. */
    observationsFile: string | undefined
  }
}

const find = createRouteTable(Object.values(operations))

/** Notes what an operation was asked and answered, for the table at the end of the run. */
export function observe({ method, url, headers }: Request, status: number): void {
  const { pathname, searchParams } = new URL(url)
  const match = find(method, pathname.slice(basePath.length))
  const file = inject('observationsFile')
  if (match.kind !== 'operation' || file === undefined) return
  const { operationId, parameters } = match.operation
  const fields = Object.keys(parameters.header).filter((name) => headers.has(name))
  // A parameter is seen where a request with it succeeded.
  const sent = status < 300 ? [...searchParams.keys(), ...fields] : []
  const lines = [status, ...sent].map((what) => `${operationId} ${what}\n`)
  appendFileSync(file, lines.join(''))
}
