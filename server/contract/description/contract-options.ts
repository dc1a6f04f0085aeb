import type { AnyHandler } from '../operation-call.ts'
import type { Validators } from '../plain/validators.ts'
import type { StandIn } from '../stand-in.ts'
import type { Description } from './description.ts'
import type { Operation } from './operation.ts'

/** The members of a security scheme that say how its credentials travel. */
export interface SecurityScheme {
  readonly type: string
  readonly scheme?: string
  readonly in?: string
  readonly name?: string
}

/** What it takes to make a description run. */
export interface ContractOptions {
  readonly description: Description
  /** Whether the linter has passed the description; one that it has not is checked at the start. */
  readonly isLinted: boolean
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  /** Compiled from this description; without them every request and answer takes the longer way. */
  readonly validators?: Validators
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Answers the operations that have no handler; without it such a description does not run. */
  readonly standIn?: StandIn
  /** What the service checks of credentials: security schemes, in the words of OpenAPI, by name. */
  readonly authenticates: Readonly<Record<string, SecurityScheme>>
  /** Headers that the service may leave out of answers although the description requires them. */
  readonly waivedHeaders: readonly string[]
}
