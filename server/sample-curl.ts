import { basePath, operations } from '../generated/operations.ts'
import type { Operation } from './contract/operation.ts'

/**
 * Returns a curl command for the first GET operation that needs no parameters; undefined if every
 * one needs some.
 */
export function sampleCurl(origin: string, key: string): string | undefined {
  const all: readonly Operation[] = Object.values(operations)
  const simple = all.find((operation) => operation.method === 'get' && !needsParameters(operation))
  if (simple === undefined) return undefined
  return `curl -H 'Authorization: Bearer ${key}' ${origin}${basePath}${simple.path}`
}

// Path parameters are always required.
function needsParameters({ parameters }: Operation): boolean {
  const all = Object.values(parameters).flatMap((ofPlace) => Object.values(ofPlace))
  return all.some(({ required }) => required)
}
