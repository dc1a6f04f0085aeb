import type { HttpHandler } from 'msw'
import { createApiMockHandlers, type MockResponseOf } from '../../client/mock-handlers.ts'
import { calls } from './generated/calls.ts'
import { examples } from './generated/examples.ts'
import type { operations } from './generated/openapi.d.ts'

type Examples = typeof examples
type OperationId = keyof Examples & keyof operations

/** The response of an operation in a test. */
export type MockResponse<Id extends OperationId> = MockResponseOf<
  Examples[Id],
  operations[Id]['responses']
>

/** The responses of a mock, by operationId. */
export type MockResponses = { readonly [Id in OperationId]?: MockResponse<Id> }

/**
 * Creates a request handler for MSW (https://mswjs.io) for every operation of the service at a base
 * URL. An operation responds with the first example of its success in the contract, unless
 * `responses` has another response for it; throws a `TypeError` where that is not of the contract.
 */
export function createMockHandlers(
  baseUrl: string,
  responses: MockResponses = {},
): readonly HttpHandler[] {
  return createApiMockHandlers({ operations: calls, examples }, baseUrl, responses)
}
