import type { AnyResponse } from '../contract/handler-response.ts'

type FixtureHandler = (input: never, context: never) => AnyResponse | Promise<AnyResponse>

/**
 * Calls a handler of the fixture API. The casts are needed where a test has edited the description of this
 * project: the handlers of the fixture API have the types of the one before.
 */
export async function forward<Response extends AnyResponse>(
  handler: FixtureHandler,
  input: object,
  context: object,
): Promise<Response> {
  return (await handler(input as never, context as never)) as Response
}
