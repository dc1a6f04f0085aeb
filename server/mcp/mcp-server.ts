import {
  createMcpHandler,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server'
import type { JsonObject } from '../description/json.ts'
import type { ToolResult } from './tool-result.ts'
import type { ToolDefinition } from './tools.ts'

/** What a server of the Model Context Protocol offers. */
export interface McpServerOptions {
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly tools: readonly ToolDefinition[]
  /** Calls a tool; returns undefined if there is no tool with this name. */
  readonly call: (name: string, toolArguments: JsonObject) => Promise<ToolResult> | undefined
}

/** Processes one message of the Model Context Protocol. A server lives as long as that: nothing is kept. */
export async function processMessage(
  options: McpServerOptions,
  request: Request,
  parsedBody: unknown,
): Promise<Response> {
  // The tools stay the same while the service runs: there is nothing to subscribe to.
  const limits = { maxSubscriptions: 0, keepAliveMs: 0 }
  const handler = createMcpHandler(() => createServer(options), limits)
  return handler.fetch(request, { parsedBody })
}

function createServer({ name, version, instructions, tools, call }: McpServerOptions): Server {
  const server = new Server({ name, version }, { capabilities: { tools: {} }, instructions })
  // Schemas of a description are JSON, which their type does not say.
  const listed = { tools: [...tools] } as ListToolsResult
  server.setRequestHandler('tools/list', () => listed)
  server.setRequestHandler('tools/call', async ({ params }) => {
    const result = await call(params.name, params.arguments ?? {})
    if (result === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${params.name}.`)
    }
    return { ...result, content: [...result.content] }
  })
  return server
}
