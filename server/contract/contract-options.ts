import type { Description } from './description.ts'
import type { Operation } from './operation.ts'
import type { AnyHandler } from './operation-call.ts'

/** What it takes to make a description run. */
export interface ContractOptions {
  readonly description: Description
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** The security schemes of the description whose credentials the service checks. */
  readonly authenticates: readonly string[]
  /** Headers that the service may leave out of answers although the description requires them. */
  readonly waivedHeaders: readonly string[]
}
