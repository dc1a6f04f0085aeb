import {
  type DehydratedState,
  HydrationBoundary,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { createElement, useState } from 'react'
import { createToolLibrary, type ToolLibraryOptions } from '../../../fixture-api/client.ts'
import { createQueries } from '../../../fixture-api/react-query.ts'

/** What a server hands to the page that it has rendered. */
export interface PageState {
  readonly service: Pick<ToolLibraryOptions, 'baseUrl' | 'apiKey'>
  readonly queries: DehydratedState
}

/** Returns the options of the query of the page. */
export function toolsOptions(service: PageState['service']) {
  const { listTools } = createQueries(createToolLibrary(service))
  // What the server has fetched is not fetched again.
  return { ...listTools.infiniteQueryOptions({ limit: 2 }), staleTime: 60_000 }
}

/** A page with all tools that were fetched, and a button that fetches more. */
export function ToolsPage({ service, queries }: PageState) {
  const [queryClient] = useState(() => new QueryClient())
  const list = createElement(ToolList, { service })
  const hydrated = createElement(HydrationBoundary, { state: queries }, list)
  return createElement(QueryClientProvider, { client: queryClient }, hydrated)
}

function ToolList({ service }: Pick<PageState, 'service'>) {
  const [options] = useState(() => toolsOptions(service))
  const { data, fetchNextPage, hasNextPage } = useInfiniteQuery(options)
  const tools = data?.pages.flatMap(({ items }) => items) ?? []
  const items = tools.map(({ id, name }) => createElement('li', { key: id }, name))
  const more = createElement(
    'button',
    { type: 'button', disabled: !hasNextPage, onClick: () => fetchNextPage() },
    'More',
  )
  return createElement('main', null, createElement('ul', null, items), more)
}
