import type { FixtureHandlers } from '../../test/fixture-api/handlers.ts'
import type { Handler, HandlerResponse } from '../contract/handler.ts'

/** Returns the handler that responds with a page of tools. */
export function listTools(fixture: FixtureHandlers): Handler<'listTools'> {
  return async (input, context) => {
    const { limit, cursor } = input.query
    const query = cursor === undefined ? { limit } : { limit, cursor }
    const response = await fixture.listTools({ query }, context)
    return response as HandlerResponse<'listTools'>
  }
}
