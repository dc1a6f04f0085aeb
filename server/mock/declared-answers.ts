import {
  type Description,
  isObject,
  type Located,
  locate,
  rootOf,
} from '../contract/description.ts'
import { json } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'

/** An answer that a description declares for an operation. */
export interface DeclaredAnswer {
  readonly status: number
  /** Its headers by name. */
  readonly headers: ReadonlyMap<string, Located>
  /** What it holds; absent for an answer without a body. */
  readonly content?: DeclaredContent
}

/** What the body of an answer is declared to be. */
export interface DeclaredContent {
  readonly mediaType: string
  readonly at: Located
  /** By name; the one of a media type whose example has no name is called `example`. */
  readonly examples: ReadonlyMap<string, unknown>
}

/** The answers that a description declares for an operation, by ascending status. */
export function declaredAnswers(
  description: Description,
  { path, method }: Operation,
): readonly DeclaredAnswer[] {
  const root = rootOf(description)
  const responses = locate(description, root, 'paths', path, method, 'responses')
  if (responses === undefined) return []
  return Object.keys(responses.node).flatMap((status) => {
    const response = locate(description, responses, status)
    // A range or a default names no status that could be answered.
    if (response === undefined || !/^\d{3}$/.test(status)) return []
    const headers = readHeaders(description, response)
    const content = readContent(description, response)
    return [{ status: Number(status), headers, ...(content === undefined ? {} : { content }) }]
  })
}

function readHeaders(description: Description, response: Located) {
  const names = Object.keys(locate(description, response, 'headers')?.node ?? {})
  const headers = names.flatMap((name) => {
    const header = locate(description, response, 'headers', name)
    return header === undefined ? [] : [[name, header] as const]
  })
  return new Map(headers)
}

function readContent(description: Description, response: Located): DeclaredContent | undefined {
  const types = Object.keys(locate(description, response, 'content')?.node ?? {})
  const mediaType = types.find((type) => type === json) ?? types[0]
  if (mediaType === undefined) return undefined
  const at = locate(description, response, 'content', mediaType)
  return at === undefined ? undefined : { mediaType, at, examples: readExamples(description, at) }
}

/** The examples of a media type or a header, by name. */
export function readExamples(description: Description, at: Located): ReadonlyMap<string, unknown> {
  const { example, examples } = at.node
  const named = isObject(examples) ? Object.keys(examples) : []
  return new Map<string, unknown>([
    ...(example === undefined ? [] : [['example', example] as const]),
    ...named.flatMap((name) => {
      const node = locate(description, at, 'examples', name)?.node
      return node !== undefined && 'value' in node ? [[name, node['value']] as const] : []
    }),
  ])
}
