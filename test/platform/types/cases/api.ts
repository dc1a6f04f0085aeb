import type { OperationHandler } from '../../server/contract/handler.ts'
import type { CallOptions, ListOptions } from './client/options.ts'
import type { CallResult, ListResult } from './client/types.ts'
import type { Methods } from './generated/calls.ts'
import type { operations } from './generated/openapi.d.ts'
import type { operations as rows } from './generated/operations.ts'

// `schemas.process.test.ts` copies this into the folder of each case, beside what its description compiles into.

/** A handler of the API of a case. */
export type Handler<Id extends keyof operations & keyof typeof rows> = OperationHandler<
  operations,
  typeof rows,
  Id
>

/** A client of the API of a case. */
export declare const client: Methods<CallResult, ListResult, CallOptions, ListOptions>
