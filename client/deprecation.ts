import type { Row } from './call.ts'
import { tell } from './tell.ts'

/** A notice that an operation is on its way out. */
export interface DeprecationNotice {
  readonly operationId: string
  /** Since when it is deprecated, and when it goes, as far as the service says (RFC 9745, RFC 8594). */
  readonly since: Date | undefined
  readonly sunset: Date | undefined
  /** What to use instead, in the words of the contract. */
  readonly replacement: string | undefined
}

/** Tells of deprecated operations, of each once. */
export type DeprecationWatch = (row: Row, response: Response) => void

/** Makes a watch that tells somebody, or the console when nobody is named. */
export function createDeprecationWatch(
  onDeprecation: (notice: DeprecationNotice) => void = warn,
): DeprecationWatch {
  const told = new Set<string>()
  return function watch({ operationId, deprecation }, { headers }) {
    const field = headers.get('deprecation')
    if ((field === null && deprecation === undefined) || told.has(operationId)) return
    told.add(operationId)
    const [, seconds] = /^@(-?\d+)$/.exec(field ?? '') ?? []
    tell(onDeprecation, {
      operationId,
      since: toDate(seconds && Number(seconds) * 1000) ?? toDate(deprecation?.since),
      sunset: toDate(headers.get('sunset')) ?? toDate(deprecation?.sunset),
      replacement: deprecation?.replacedBy?.description ?? deprecation?.replacedBy?.operationId,
    })
  }
}

function toDate(time: number | string | null | undefined): Date | undefined {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function warn({ operationId, sunset, replacement }: DeprecationNotice): void {
  const until = sunset === undefined ? '' : ` and goes on ${sunset.toISOString().slice(0, 10)}`
  const instead = replacement === undefined ? '' : ` Use ${replacement} instead.`
  console.warn(`animal-store-client: ${operationId} is deprecated${until}.${instead}`)
}
