import type { calls } from '../generated/calls.ts'
import type { operations as Contract } from '../generated/openapi.d.ts'
import type { CommonCallOptions } from './call-options.ts'
import type { PagedList } from './pages.ts'

type Table = typeof calls

/** The operationIds of the contract. */
export type OperationId = keyof Table & keyof Contract

type Given<T> = [NonNullable<T>] extends [never] ? Record<never, never> : NonNullable<T>
type JsonOf<T> = T extends { content: infer C } ? C[keyof C] : undefined
type Wire<Id extends OperationId> = Contract[Id]['parameters']
type QueryOf<Id extends OperationId> = Given<Wire<Id>['query']>

type PathNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [Name, ...PathNames<Rest>]
  : []
type ValuesOf<Names, Values> = {
  [Index in keyof Names]: Names[Index] extends keyof Values ? Values[Names[Index]] : never
}
type PathArguments<Id extends OperationId> = ValuesOf<
  PathNames<Table[Id]['path']>,
  Given<Wire<Id>['path']>
>
type BodyArgument<Body> = [NonNullable<Body>] extends [never]
  ? []
  : undefined extends Body
    ? [body?: JsonOf<NonNullable<Body>>]
    : [body: JsonOf<Body>]
type QueryArgument<Query> = [keyof Query] extends [never]
  ? []
  : Record<never, never> extends Query
    ? [query?: Query]
    : [query: Query]

type IsPaged<Id extends OperationId> = Table[Id] extends { cursor: string } ? true : false

type AnyHeaders = Readonly<Record<string, string | number | boolean | undefined>>

type HeadersOption<Headers> =
  Record<never, never> extends Headers
    ? {
        /** The header parameters of the operation, and any other header field. */
        readonly headers?: Headers & AnyHeaders
      }
    : {
        /** The header parameters of the operation, of which it needs some, and any other field. */
        readonly headers: Headers & AnyHeaders
      }

/** What may be said of one call, beside what it is about. */
export type CallOptions<Id extends OperationId> = CommonCallOptions &
  HeadersOption<Given<Wire<Id>['header']>> &
  (IsPaged<Id> extends true
    ? {
        /** How many pages a walk may take at most. */
        readonly maxPages?: number
      }
    : unknown)

type OptionsArgument<Options> =
  Record<never, never> extends Options ? [options?: Options] : [options: Options]

type Success<Responses> = {
  [Status in keyof Responses]: `${Status & number}` extends `2${string}`
    ? JsonOf<Responses[Status]>
    : never
}[keyof Responses]

type Result<Id extends OperationId> =
  IsPaged<Id> extends true
    ? Success<Contract[Id]['responses']> extends readonly (infer Item)[]
      ? PagedList<Item, QueryOf<Id>>
      : never
    : Promise<Success<Contract[Id]['responses']>>

/**
 * A method of the client, shaped by its operation: path parameters in the order of the path, then
 * the body, then the query, then options. It resolves to the body of the 2xx answer, or to a page
 * of it, and rejects with an `AnimalStoreError`.
 */
export type Method<Id extends OperationId> = (
  ...values: [
    ...PathArguments<Id>,
    ...BodyArgument<Contract[Id]['requestBody']>,
    ...QueryArgument<QueryOf<Id>>,
    ...OptionsArgument<CallOptions<Id>>,
  ]
) => Result<Id>

/** One method for each operation of the contract. */
export type Methods = { readonly [Id in keyof Table]: Method<Id> }
