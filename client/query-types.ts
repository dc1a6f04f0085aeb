import type {
  DataTag,
  InfiniteData,
  UnusedSkipTokenInfiniteOptions,
  UnusedSkipTokenOptions,
  UseMutationOptions,
} from '@tanstack/react-query'

/** The key of a query: the prefix, the operationId, and the arguments without the options. */
export type OperationKey = readonly unknown[]

/** A page of a list as plain data, which JSON keeps, with the query of the next page; undefined on the last one. */
export interface ListPage<Item, NextQuery> {
  readonly items: readonly Item[]
  readonly next?: NextQuery | undefined
}

/** The options of a query, for `useQuery`, `prefetchQuery` and the like. */
export type QueryOptionsOf<Data, Failure> = UnusedSkipTokenOptions<
  Data,
  Failure,
  Data,
  OperationKey
> & { queryKey: DataTag<OperationKey, Data, Failure> }

/** The options of a query with all its pages, for `useInfiniteQuery`, `prefetchInfiniteQuery` and the like. */
export type InfiniteQueryOptionsOf<Page, NextQuery, Failure> = UnusedSkipTokenInfiniteOptions<
  Page,
  Failure,
  InfiniteData<Page, NextQuery>,
  OperationKey,
  NextQuery
> & { queryKey: DataTag<OperationKey, InfiniteData<Page, NextQuery>, Failure> }

/** The methods of HTTP that only read (RFC 9110, section 9.2.1), and QUERY. */
export type SafeMethod = 'get' | 'head' | 'options' | 'query'

/**
 * The options of React Query for each operation of a client, but those whose results are streams of items.
 *
 * @example QueriesOf<Client, typeof calls, QueryError>['getBook'] // { queryKey, queryOptions }
 */
export type QueriesOf<Client, Rows, Failure> = {
  readonly [Id in keyof Client & keyof Rows as Client[Id] extends AnyMethod
    ? Id
    : never]: OptionsOf<Client[Id], Rows[Id], Failure>
}

/** A method whose result is a promise. */
type AnyMethod = (...values: never[]) => PromiseLike<unknown>

/** The options of an operation, by the method of its requests. */
type OptionsOf<Method, Row, Failure> = Method extends AnyMethod
  ? Row extends { readonly method: SafeMethod }
    ? ReadingOptions<Method, Row, Failure>
    : WritingOptions<Method, Failure>
  : never

/** The options of an operation that only reads: of a list with pages, or of any other. */
type ReadingOptions<Method extends AnyMethod, Row, Failure> = Row extends {
  readonly pages: unknown
}
  ? SafeOptions<Method, PageOf<Method>, Failure> & AllPagesOptions<Method, Row, Failure>
  : SafeOptions<Method, DataOf<Awaited<ReturnType<Method>>>, Failure>

/** The options of all pages, if the method takes a query: that of the next page is passed to it. */
type AllPagesOptions<Method extends AnyMethod, Row, Failure> = Row extends {
  readonly query: true
}
  ? PagedOptions<Method, PageOf<Method>, Failure>
  : unknown

/** What an operation has that only reads. */
interface SafeOptions<Method extends AnyMethod, Data, Failure> {
  /** Returns the key of the queries with these arguments; without arguments, of all queries of the operation. */
  readonly queryKey: (...values: Partial<Parameters<Method>>) => OperationKey
  /** Returns the options of a query; takes the arguments of the method. */
  readonly queryOptions: (...values: Parameters<Method>) => QueryOptionsOf<Data, Failure>
}

/** What a list with pages has beside `SafeOptions`. */
interface PagedOptions<Method extends AnyMethod, Page, Failure> {
  /** Returns the options of a query with all pages; takes the arguments of the method, with the first query. */
  readonly infiniteQueryOptions: (
    ...values: Parameters<Method>
  ) => InfiniteQueryOptionsOf<Page, NextQueryOf<Page>, Failure>
}

/** What an operation has that changes something. */
interface WritingOptions<Method extends AnyMethod, Failure> {
  /** Returns the options of a mutation, whose variables are the arguments of the method, as a list. */
  readonly mutationOptions: () => UseMutationOptions<
    Awaited<ReturnType<Method>>,
    Failure,
    Parameters<Method>
  >
}

/** What React Query takes for data: a response without content is null. */
type DataOf<Data> = Data extends undefined ? null : Data

/** The page that a method of a list returns, as plain data. */
type PageOf<Method extends AnyMethod> = PlainPage<Awaited<ReturnType<Method>>>

/**
 * A page of a list as plain data, with the envelope of its items as `body` if there is one.
 *
 * @example PlainPage<Page<Book, ListBooksQuery>> // ListPage<Book, ListBooksQuery>
 */
type PlainPage<Page> = Page extends {
  readonly [index: number]: infer Item
  readonly next: infer NextQuery
}
  ? ListPage<Item, Exclude<NextQuery, undefined>> & BodyOf<Page>
  : never

/** The member `body` of a page that has one. */
type BodyOf<Page> = Page extends { readonly body: infer Body } ? { readonly body: Body } : unknown

/** The query of the page after a page. */
type NextQueryOf<Page> = Page extends ListPage<unknown, infer NextQuery> ? NextQuery : never
