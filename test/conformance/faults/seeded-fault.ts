import type { Json, JsonObject } from '../../support/traffic/contract-index.ts'
import { toObject } from '../../support/traffic/contract-index.ts'
import type { Field } from '../../support/traffic/exchange.ts'
import type { Aspect } from '../support/fault.ts'
import type { Answer, Sent } from '../support/sent.ts'
import type { Meddle } from './meddler.ts'

/** A fault that is put in on purpose, by name, and what of the run is to find it. */
export type SeededFault<How> = readonly [name: string, how: How, check: string, aspect: Aspect]

/** Changes what is answered. */
export function answering(change: (answer: Answer, sent: Sent) => Answer): Meddle {
  return async (sent, pass) => change(await pass(sent), sent)
}

/** Changes what is answered where a request is refused. */
export function refusing(change: (answer: Answer) => Answer): Meddle {
  return answering((answer) => (answer.status >= 400 ? change(answer) : answer))
}

/** Changes what is asked. */
export function asking(change: (sent: Sent) => Sent): Meddle {
  return (sent, pass) => pass(change(sent))
}

/** Sets a header field, or takes it out. */
export function withField<Part extends { readonly headers: readonly Field[] }>(
  part: Part,
  name: string,
  value: string | undefined,
): Part {
  const others = part.headers.filter((field) => field.name.toLowerCase() !== name.toLowerCase())
  return { ...part, headers: value === undefined ? others : [...others, { name, value }] }
}

/** Changes the objects of a JSON body: the body itself, or each that it lists. */
export function withBody<Part extends { readonly body: string | undefined }>(
  part: Part,
  change: (content: JsonObject) => JsonObject,
): Part {
  // What is too large is left as it is: written anew it would not be.
  const content: Json = (part.body?.length ?? 0) > 50_000 ? null : parse(part.body)
  if (Array.isArray(content)) {
    return { ...part, body: JSON.stringify(content.map((item) => change(toObject(item)))) }
  }
  if (Object.keys(toObject(content)).length === 0) return part
  return { ...part, body: JSON.stringify(change(toObject(content))) }
}

export function parse(text: string | undefined): Json {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** Changes the query of a request. */
export function withQuery(sent: Sent, change: (query: URLSearchParams) => void): Sent {
  const [path = '', search = ''] = sent.path.split('?')
  const query = new URLSearchParams(search)
  change(query)
  return { ...sent, path: query.size === 0 ? path : `${path}?${query}` }
}
