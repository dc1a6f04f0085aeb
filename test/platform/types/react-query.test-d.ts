import {
  type QueryClient,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useSuspenseQuery,
} from '@tanstack/react-query'
import type { Kind, ListToolsQuery, Tool, ToolLibrary } from '../../fixture-api/client.ts'
import { createQueries, type ListPage, type QueryError } from '../../fixture-api/react-query.ts'
import type { Equal, Expect } from '../../helpers/equal.ts'

// The tests of the package compile this with what it ships, too.

declare const client: ToolLibrary
declare const queryClient: QueryClient
const queries = createQueries(client, { keyPrefix: ['lending'] })
type ToolPage = ListPage<Tool, ListToolsQuery>

// A library that wraps options declares their types, which it has to be able to name.
export const toolOptions = (toolId: number) => queries.getTool.queryOptions(toolId)
export const sawOptions = () => queries.listTools.infiniteQueryOptions({ kind: 'saw' })
export const createOptions = () => queries.createTool.mutationOptions()

// What the operations have.
export type Read = Expect<Equal<keyof typeof queries.getTool & string, 'queryKey' | 'queryOptions'>>
export type Listed = Expect<
  Equal<keyof typeof queries.listTools, 'queryKey' | 'queryOptions' | 'infiniteQueryOptions'>
>
export type Written = Expect<Equal<keyof typeof queries.createTool, 'mutationOptions'>>

// A query.
export function useTool(toolId: number) {
  const { data, error } = useQuery(queries.getTool.queryOptions(toolId))
  const known: Tool | undefined = data
  const failure: QueryError | null = error
  const status: number | undefined = error?.status
  // @ts-expect-error the note of a tool may be absent
  const note: string = data?.note
  return { known, failure, status, note }
}
export function useToolName(toolId: number) {
  const select = (tool: Tool) => tool.name
  const options = queries.getTool.queryOptions(toolId, { timeout: 500 })
  const name: string = useSuspenseQuery({ ...options, select }).data
  return name
}
// @ts-expect-error an id is a number
queries.getTool.queryOptions('1')
// @ts-expect-error the id is required
queries.getTool.queryOptions()

// A list, as one page and as all pages.
export function useTools(kind: Kind) {
  const { data: page } = useQuery(queries.listTools.queryOptions({ kind, limit: 5 }))
  const items: readonly Tool[] | undefined = page?.items
  const next: ListToolsQuery | undefined = page?.next
  const all = useInfiniteQuery(queries.listTools.infiniteQueryOptions({ kind }))
  const tools: readonly Tool[] | undefined = all.data?.pages.flatMap((each) => each.items)
  const params: readonly ListToolsQuery[] | undefined = all.data?.pageParams
  // @ts-expect-error a page has its items as a member
  page?.[0]
  return { items, next, tools, params }
}
// @ts-expect-error there is no such parameter
queries.listTools.infiniteQueryOptions({ colour: 'brown' })
// @ts-expect-error one tool has no pages
queries.getTool.infiniteQueryOptions

// Mutations: the variables are the arguments of the method.
export function useChanges() {
  const create = useMutation(queries.createTool.mutationOptions())
  create.mutate([{ kind: 'saw', name: 'Ryoba' }])
  const replace = useMutation(queries.replaceTool.mutationOptions())
  replace.mutate([1, { kind: 'saw', name: 'Ryoba' }, { headers: { traceparent: '00-a' } }])
  const remove = useMutation({
    ...queries.deleteTool.mutationOptions(),
    onSuccess: () => undefined,
  })
  remove.mutate([1])
  // @ts-expect-error a tool has a kind
  create.mutate([{ name: 'Ryoba' }])
  // @ts-expect-error the body is required
  replace.mutate([1])
  const created: Tool | undefined = create.data
  return created
}

// Keys carry the type of the data.
const key = queries.getTool.queryOptions(1).queryKey
export const cached: Tool | undefined = queryClient.getQueryData(key)
export const pages: readonly (ToolPage | undefined)[] | undefined = queryClient.getQueryData(
  queries.listTools.infiniteQueryOptions().queryKey,
)?.pages
export async function load() {
  const tool: Tool = await queryClient.fetchQuery(queries.getTool.queryOptions(1))
  const options = queries.listTools.infiniteQueryOptions({ limit: 2 })
  await queryClient.prefetchInfiniteQuery({ ...options, pages: 5 })
  await queryClient.invalidateQueries({ queryKey: queries.listTools.queryKey() })
  await queryClient.invalidateQueries({ queryKey: queries.listTools.queryKey({ kind: 'saw' }) })
  return tool
}
// @ts-expect-error a limit is a number
queries.listTools.queryKey({ limit: '5' })
