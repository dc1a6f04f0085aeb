import type { Course } from './course.ts'
import type { DeprecationNotice } from './notices.ts'
import { tell } from './tell.ts'

const warn = (notice: DeprecationNotice): void =>
  console.warn('animal-store-client: deprecated:', notice)

/** Tells of an operation that an answer calls deprecated, once a client. */
export function watchDeprecation(
  { line: { onDeprecation = warn, told }, row: { operationId, path, replacement } }: Course,
  { headers }: Response,
): void {
  const since = headers.get('deprecation')
  // Of a request that is no call of an operation, nobody knows which it was.
  if (!since || !path || told.has(operationId)) return
  told.add(operationId)
  tell(onDeprecation, {
    operationId,
    since: toDate(Number(since.slice(1)) * 1000),
    sunset: toDate(headers.get('sunset') ?? ''),
    replacement,
  })
}

function toDate(time: number | string): Date | undefined {
  const date = new Date(time)
  return Number.isNaN(+date) ? undefined : date
}
