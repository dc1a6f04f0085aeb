import type { HttpHandler } from 'msw'
import { calls } from '../../generated/calls.ts'
import type { OperationId } from '../methods.ts'
import { type Answers, createAnswers } from './answers.ts'

export type { AnswerOf, Answers, StatusOf } from './answers.ts'

type Named = { readonly [Id in OperationId]: Answers<Id> }

/** Stands in for the service in tests: what each operation may answer, by operationId. */
export type StandIn = Named & {
  /** One handler an operation, which gives the first example of its success. */
  readonly handlers: readonly HttpHandler[]
}

/**
 * Makes request handlers for MSW (https://mswjs.io) from the examples of the contract, so that code
 * that uses the client can be tested without a service. `baseUrl` is that of the client.
 */
export function createStandIn(baseUrl: string): StandIn {
  // The table that is walked here is the one that the type is computed from.
  const ids = Object.keys(calls) as OperationId[]
  const answers = ids.map((id) => [id, createAnswers(baseUrl, id)] as const)
  const byId = Object.fromEntries(answers) as Named
  return { ...byId, handlers: answers.map(([, { succeeds }]) => succeeds) }
}
