import type { operations as Contract } from '../generated/openapi.d.ts'
import type { operations as table } from '../generated/operations.ts'

/** The operationIds of the contract. */
export type OperationId = keyof Contract & keyof typeof table

type Given<T> = [NonNullable<T>] extends [never] ? Record<never, never> : NonNullable<T>
type JsonOf<T> = T extends { content: infer C } ? C[keyof C] : undefined
type Wire<Id extends OperationId> = Contract[Id]['parameters']

type PathNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? [Name, ...PathNames<Rest>]
  : []
type ValuesOf<Names, Values> = {
  [Index in keyof Names]: Names[Index] extends keyof Values ? Values[Names[Index]] : never
}
type PathArguments<Id extends OperationId> = ValuesOf<
  PathNames<(typeof table)[Id]['path']>,
  Given<Wire<Id>['path']>
>

type BodyArgument<Body> = [Body] extends [never]
  ? []
  : undefined extends Body
    ? [body?: JsonOf<NonNullable<Body>>]
    : [body: JsonOf<Body>]
type QueryArgument<Query> = [keyof Query] extends [never]
  ? []
  : Record<never, never> extends Query
    ? [query?: Query]
    : [query: Query]

/** What may be said of one call, beside what it is about. */
export interface CallOptions<Id extends OperationId> {
  /** The header parameters of the operation. */
  readonly headers?: Given<Wire<Id>['header']>
  readonly signal?: AbortSignal
}

type Success<Responses> = {
  [Status in keyof Responses]: `${Status & number}` extends `2${string}`
    ? JsonOf<Responses[Status]>
    : never
}[keyof Responses]

/**
 * A method of the client, shaped by its operation: path parameters in the order of the path, then
 * the body, then the query, then options. It resolves to the body of the 2xx answer and rejects
 * with an `AnimalStoreError`.
 */
export type Method<Id extends OperationId> = (
  ...values: [
    ...PathArguments<Id>,
    ...BodyArgument<NonNullable<Contract[Id]['requestBody']>>,
    ...QueryArgument<Given<Wire<Id>['query']>>,
    options?: CallOptions<Id>,
  ]
) => Promise<Success<Contract[Id]['responses']>>

/** One method for each operation of the contract. */
export type Methods = { readonly [Id in OperationId]: Method<Id> }
