import type { RequestHandler } from 'express'
import type { Config } from '../config.ts'
import { pagePrefixOf } from '../description/platform-paths.ts'
import type { Pages } from '../http/routes.ts'
import type { MessageOptions } from './messages.ts'
import { rejectMessage } from './rejected-message.ts'

export interface McpOptions extends Omit<MessageOptions, 'connect'> {
  readonly config: Pick<Config, 'corsOrigins'>
  readonly authenticate: RequestHandler
  /** Absent if there is no such endpoint. */
  readonly connect?: MessageOptions['connect'] | undefined
}

/** Header fields of the protocol that browsers ask about before they send them. */
const allowedHeaders = ['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name']

/**
 * Returns the endpoint by which agents call the operations as tools: the Model Context Protocol over stateless
 * Streamable HTTP. There is none if it is off.
 */
export function createMcpEndpoint({ connect, ...options }: McpOptions): Pages {
  const { config, contract, authenticate, send } = options
  if (connect === undefined) {
    return {}
  }

  const begin: RequestHandler = ({ headers }, response, next) => {
    const { origin } = headers
    // A page that DNS rebinding has led here names this host as its origin, so no other list will do.
    if (origin !== undefined && !config.corsOrigins.includes(origin)) {
      return void send(response, forbiddenOrigin)
    }
    response.locals.isAgentMessage = true
    next()
  }
  let handler: Promise<RequestHandler> | undefined
  const handle: RequestHandler = async (request, response, next) => {
    // Loading the package of the protocol takes longer than the rest of a start.
    handler ??= loadHandler({ ...options, connect })
    const handleMessage = await handler
    return handleMessage(request, response, next)
  }
  const path = `${pagePrefixOf(contract.settings)}/mcp`
  return { [path]: { steps: [begin, authenticate, handle], allowedHeaders } }
}

async function loadHandler(options: MessageOptions): Promise<RequestHandler> {
  const { createMessageHandler } = await import('./messages.ts')
  return createMessageHandler(options)
}

const forbiddenOrigin = rejectMessage(
  403,
  'Pages of this origin may not send messages; CORS_ORIGINS lists those that may.',
)
