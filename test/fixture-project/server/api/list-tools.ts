import type { FixtureHandlers } from '../../test/fixture-api/handlers.ts'
import type { Handler } from '../contract/handler.ts'
import { forward } from './forward.ts'

/** Returns the handler that responds with a page of tools. */
export function listTools(fixture: FixtureHandlers): Handler<'listTools'> {
  return (input, context) => {
    const { limit, cursor } = input.query
    return forward(fixture.listTools, { query: { limit, cursor } }, context)
  }
}
