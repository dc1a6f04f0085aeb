import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'
import { basePath, operations } from '../../generated/operations.ts'
import { createRouteTable } from '../../server/contract/route-table.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file that collects which operation answered with which status, in the whole run. */
    observationsFile: string
  }
}

const find = createRouteTable(Object.values(operations))

/** Notes which operation answered with which status, for the table at the end of the run. */
export function observe(method: string, url: string, status: number): void {
  const path = new URL(url).pathname
  if (!path.startsWith(basePath)) return
  const match = find(method, path.slice(basePath.length))
  if (match.kind !== 'operation') return
  appendFileSync(inject('observationsFile'), `${match.operation.operationId} ${status}\n`)
}
