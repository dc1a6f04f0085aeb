import type { Exchange, HeaderFields } from './exchange.ts'

/** What handlers return. */
export interface AnyResponse {
  readonly status: number
  readonly headers?: HeaderFields
  readonly body?: unknown
}

/** An answer with all of its header fields but those of its content. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Puts what a reply says beside what every answer to its request says. */
export function toAnswer(
  { headers: own }: Exchange,
  { status, headers, body }: AnyResponse,
): Answer {
  const fields: Record<string, string> = {}
  for (const given of [own, headers]) {
    if (given === undefined) continue
    for (const name of Object.keys(given)) {
      const value = given[name]
      if (value !== undefined) fields[name] = String(value)
    }
  }
  return { status, headers: fields, body }
}
