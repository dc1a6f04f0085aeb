import { createFixtureHandlers } from '../../test/fixture-api/handlers.ts'
import type { Handler, HandlerResponse, Handlers } from '../contract/handler.ts'
import type { HandlerOptions } from '../served-api.ts'
import { listTools } from './list-tools.ts'

/** Returns the handlers of all operations: those of the fixture API, with the types of this project. */
export function createHandlers(options: HandlerOptions): Handlers {
  const fixture = createFixtureHandlers(options)

  const createTool: Handler<'createTool'> = async ({ headers, body }, context) => {
    const response = await fixture.createTool({ headers, body }, context)
    return response as HandlerResponse<'createTool'>
  }
  const getTool: Handler<'getTool'> = async ({ path: { toolId } }) => {
    const response = await fixture.getTool({ path: { toolId } })
    return response as HandlerResponse<'getTool'>
  }
  const replaceTool: Handler<'replaceTool'> = async ({ path: { toolId }, body }) => {
    const response = await fixture.replaceTool({ path: { toolId }, body })
    return response as HandlerResponse<'replaceTool'>
  }
  const updateTool: Handler<'updateTool'> = async ({ path: { toolId }, body }) => {
    const response = await fixture.updateTool({ path: { toolId }, body })
    return response as HandlerResponse<'updateTool'>
  }
  const deleteTool: Handler<'deleteTool'> = async ({ path: { toolId } }) => {
    const response = await fixture.deleteTool({ path: { toolId } })
    return response as HandlerResponse<'deleteTool'>
  }
  const getManual: Handler<'getManual'> = async ({ path: { toolId } }) => {
    const response = await fixture.getManual({ path: { toolId } })
    return response as HandlerResponse<'getManual'>
  }
  const getLoan: Handler<'getLoan'> = ({ path: { member, number } }) =>
    fixture.getLoan({ path: { member, number } }) as HandlerResponse<'getLoan'>
  const getOpeningHours: Handler<'getOpeningHours'> = () =>
    fixture.getOpeningHours() as HandlerResponse<'getOpeningHours'>

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
