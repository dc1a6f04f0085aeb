import type { Request, Response } from 'express'
import type { Logger } from 'pino'
import type { Contract } from '../contract/contract.ts'
import { internalError } from '../contract/errors.ts'
import type { JsonObject } from '../description/json.ts'
import { type Connect, createOwnRequests } from './own-request.ts'
import { ArgumentError, toToolRequest } from './tool-request.ts'
import { type ToolResult, toErrorResult, toToolResult } from './tool-result.ts'
import type { Tool } from './tools.ts'

/** A call of a tool, and the message that it is in. */
interface ToolCall {
  readonly tool: Tool
  readonly toolArguments: JsonObject
  readonly request: Request
  readonly response: Response
  /** Aborted when the sender of the message is gone. */
  readonly signal: AbortSignal
}

export interface ToolCallOptions {
  readonly contract: Contract
  readonly connect: Connect
  readonly log: Logger
}

/** Returns a function that calls the operation of a tool; `onRequest` is called if a request is sent. */
export function createToolCalls({ contract, connect, log }: ToolCallOptions) {
  const { description, basePath } = contract
  const sendOwn = createOwnRequests({ connect, basePath, description })

  return async function callTool(
    { tool, toolArguments, request, response, signal }: ToolCall,
    onRequest: () => void,
  ): Promise<ToolResult> {
    try {
      const toolRequest = toToolRequest(tool, toolArguments)
      onRequest()
      const operationResponse = await sendOwn(toolRequest, request, response, signal)
      return toToolResult(tool, toolArguments, operationResponse)
    } catch (error) {
      if (error instanceof ArgumentError) {
        return toErrorResult(error.message)
      }
      if (!signal.aborted) {
        const { requestId, path } = response.locals
        log.error({ requestId, path, err: error }, 'request failed')
      }
      return toErrorResult(internalError(error).message)
    }
  }
}
