import {
  type CallOptions,
  type components,
  createToolLibrary,
  type DataWithResponse,
  type DeprecationEvent,
  type ErrorCode,
  type ErrorDetail,
  type Kind,
  type ListOptions,
  type NewTool,
  type operations,
  type Page,
  type PagedList,
  type paths,
  type RateLimit,
  type RetryEvent,
  type Tool,
  type ToolLibrary,
  type ToolLibraryError,
  type ToolLibraryOptions,
} from '../../fixture-api/client.ts'
import type { Equal, Expect } from '../../helpers/equal.ts'

// The tests of the package compile this with what it ships, too, beside the snippets of its README,
// which use all methods, options and fields.

declare const client: ToolLibrary
declare const saw: NewTool
type Query = NonNullable<paths['/tools']['get']['parameters']['query']>

// Methods and their results.
export type Names = Expect<Equal<Exclude<keyof ToolLibrary, 'raw'>, keyof operations>>
export type Body = Expect<Equal<Parameters<ToolLibrary['createTool']>[0], NewTool>>
export type Listed = Expect<Equal<Awaited<ReturnType<ToolLibrary['listTools']>>, Page<Tool, Query>>>
export type Created = Expect<Equal<Awaited<ReturnType<ToolLibrary['createTool']>>, Tool>>
export type Schemas = Expect<Equal<components['schemas']['Kind'], Kind>>
export const promised: [Promise<Tool[]>, Promise<Tool>] = [client.listTools(), client.getTool(1)]
export const both: Promise<DataWithResponse<Tool>> = client.getTool(1).withResponse()
// @ts-expect-error the note of a tool may be absent
export const note: Promise<string> = client.getTool(1).then((tool) => tool.note)
export async function walk(list: PagedList<Tool, Query> = client.listTools()) {
  // @ts-expect-error one tool cannot be iterated
  for await (const tool of client.getTool(1)) {
    console.log(tool)
  }
  const { next } = await list
  // @ts-expect-error the last page has no next
  next.cursor
}

// A library that wraps calls declares their types, which it has to be able to name.
export const listSaws = () => client.listTools({ kind: 'saw' })
export const createSaw = () => client.createTool(saw)

// Options of a client.
const service = { baseUrl: 'https://host.example/v2', apiKey: async () => 'lib_key' }
const undefinedOptions = { fetch: undefined, pacer: undefined, onRetry: undefined }
createToolLibrary({ ...service, ...undefinedOptions, onRateLimit: undefined, timeout: undefined })
// @ts-expect-error a key is needed
createToolLibrary({ baseUrl: '/v2' })
// @ts-expect-error there is no such option
createToolLibrary({ ...service, onError: () => undefined })
// @ts-expect-error a pacer is made by createPacer
createToolLibrary({ ...service, pacer: true })
// @ts-expect-error a timeout is a number
createToolLibrary({ ...service, timeout: { attempt: 1_000 } })
export const hooks: Pick<ToolLibraryOptions, 'onRetry' | 'onRateLimit' | 'onDeprecation'> = {
  onRetry: (_: RetryEvent) => undefined,
  onRateLimit: (_: RateLimit) => undefined,
  onDeprecation: (_: DeprecationEvent) => undefined,
}

// Calls and their options.
const none: CallOptions = { signal: undefined, headers: undefined, maxRetries: undefined }
const noneOfList: ListOptions = { ...none, maxPages: undefined }
client.listTools({}, noneOfList)
// @ts-expect-error a limit is a number
client.listTools({ limit: '5' })
// @ts-expect-error listTools has no parameter colour
client.listTools({ colour: 'brown' })
// @ts-expect-error the body is required
client.createTool()
// @ts-expect-error a tool has a kind
client.createTool({ name: 'Ryoba' })
// @ts-expect-error the id is assigned by the service
client.createTool({ id: 1, ...saw })
// @ts-expect-error an id is a number
client.getTool('1')
// @ts-expect-error one tool has no pages
client.getTool(1, { maxPages: 5 })
// @ts-expect-error maxRetries: 0 ends all retries
client.getTool(1, { maxRetries: false })
// @ts-expect-error a header field is one value
client.getTool(1, { headers: { traceparent: ['00-a'] } })
// @ts-expect-error the key is a text
client.createTool(saw, { headers: { 'Idempotency-Key': 7 } })
// @ts-expect-error a tool has a kind
client.raw.POST('/tools', { body: { name: 'Ryoba' } })

// Errors.
declare const error: ToolLibraryError
export type Code = Expect<Equal<typeof error.code, ErrorCode>>
export const known: ErrorCode[] = ['rate_limited', 'timeout', 'a code of a later contract']
export type Details = Expect<Equal<typeof error.details, readonly ErrorDetail[]>>
export const limit: RateLimit | undefined = error.rateLimit
export const described: [number, string] = [error.attempts, error.operationId]
// @ts-expect-error errors are read-only
error.code = 'none'
