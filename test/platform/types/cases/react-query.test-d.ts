import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { client } from './api.ts'
import { createQueries } from './client/react-query.ts'
import type { Book } from './generated/calls.ts'

const queries = createQueries(client)

export function useEnvelope() {
  const { data } = useInfiniteQuery(queries.listShelf.infiniteQueryOptions('a', { after: 'b' }))
  const book: Book | undefined = data?.pages[0]?.items[0]
  const total: number | undefined = data?.pages[0]?.body.total
  const next: string | undefined = data?.pages[0]?.next?.after
  return { book, total, next }
}

// A response without content is null, because React Query takes undefined for an error.
export const useCheck = (): null | undefined => useQuery(queries.checkBook.queryOptions(1)).data
export function useRemoval() {
  const { mutate, data } = useMutation(queries.removeBook.mutationOptions())
  const none: undefined = data
  mutate([1])
  return none
}

export const useLinked = (): readonly string[] | undefined =>
  useQuery(queries.listLinked.queryOptions()).data?.items
// @ts-expect-error its method takes no query of a next page
queries.listLinked.infiniteQueryOptions
// @ts-expect-error a stream of items is no promise
queries.watchLines
// @ts-expect-error it changes something
queries.addBook.queryOptions
