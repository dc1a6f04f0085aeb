import { createFixtureHandlers } from '../../test/fixture-api/handlers.ts'
import type { Handler, Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'
import { forward } from './forward.ts'
import { listTools } from './list-tools.ts'

/** Returns the handlers of all operations: those of the fixture API, with the types of this project. */
export function createHandlers(options: HandlerOptions): Handlers {
  const fixture = createFixtureHandlers(options)

  const createTool: Handler<'createTool'> = ({ headers, body }, context) =>
    forward(fixture.createTool, { headers, body }, context)
  const getTool: Handler<'getTool'> = ({ path: { toolId } }, context) =>
    forward(fixture.getTool, { path: { toolId } }, context)
  const replaceTool: Handler<'replaceTool'> = ({ path: { toolId }, body }, context) =>
    forward(fixture.replaceTool, { path: { toolId }, body }, context)
  const updateTool: Handler<'updateTool'> = ({ path: { toolId }, body }, context) =>
    forward(fixture.updateTool, { path: { toolId }, body }, context)
  const deleteTool: Handler<'deleteTool'> = ({ path: { toolId } }, context) =>
    forward(fixture.deleteTool, { path: { toolId } }, context)
  const getManual: Handler<'getManual'> = ({ path: { toolId } }, context) =>
    forward(fixture.getManual, { path: { toolId } }, context)
  const getLoan: Handler<'getLoan'> = ({ path: { member, number } }, context) =>
    forward(fixture.getLoan, { path: { member, number } }, context)
  const getOpeningHours: Handler<'getOpeningHours'> = (_input, context) =>
    forward(fixture.getOpeningHours, {}, context)

  return {
    listTools: listTools(fixture),
    createTool,
    getTool,
    replaceTool,
    updateTool,
    deleteTool,
    getManual,
    getLoan,
    getOpeningHours,
  }
}
