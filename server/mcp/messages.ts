import type { Request as HttpRequest, RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Contract } from '../contract/contract.ts'
import type { AnyResponse } from '../contract/handler-response.ts'
import { type JsonObject, toObject, toText } from '../description/json.ts'
import { isJsonType, json } from '../description/media-types.ts'
import { requestSettingsOf } from '../description/settings.ts'
import { readBodyOf } from '../http/body/read-body.ts'
import type { Send } from '../http/send.ts'
import { processMessage } from './mcp-server.ts'
import type { Connect } from './own-request.ts'
import { rejectMessage } from './rejected-message.ts'
import { createToolCalls } from './tool-call.ts'
import { createTools } from './tools.ts'

export interface MessageOptions {
  readonly contract: Contract
  readonly connect: Connect
  readonly send: Send
  readonly log: Logger
}

/** Header fields that the package of the protocol reads. */
const readHeaders = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']

const noBatches = rejectMessage(400, 'Send one message in each request: batches are not supported.')

/** Returns the middleware that processes a message of an agent, and sends the response to it. */
export function createMessageHandler(options: MessageOptions): RequestHandler {
  const { contract, send } = options
  const { maxBytes } = requestSettingsOf(contract.settings)
  const body = { required: true, mediaTypes: [json], maxBytes }
  const callTool = createToolCalls(options)
  const about = describeServer(contract)
  const tools = new Map(createTools(contract).map((tool) => [tool.name, tool]))
  const definitions = Array.from(tools.values(), ({ definition }) => definition)

  return async function handleMessage(request, response) {
    const { countMessage = async () => undefined } = response.locals
    const message = await readBodyOf(body, request, response).catch(async (error: unknown) => {
      await countMessage()
      throw error
    })
    // The operation that a tool calls counts the request, if one is sent to it.
    const isToolCall = toObject(message)['method'] === 'tools/call'
    let hasSentRequest = false
    if (!isToolCall) {
      await countMessage()
    }
    // A batch would be many requests that count as one.
    if (Array.isArray(message)) {
      return void send(response, noBatches)
    }

    const controller = new AbortController()
    response.once('close', () => controller.abort())
    const { signal } = controller
    function call(name: string, toolArguments: JsonObject) {
      const tool = tools.get(name)
      return (
        tool &&
        callTool({ tool, toolArguments, request, response, signal }, () => {
          hasSentRequest = true
        })
      )
    }
    const offered = { ...about, tools: definitions, call }
    const processed = await processMessage(offered, toWebRequest(request, signal), message)
    if (isToolCall && !hasSentRequest) {
      await countMessage()
    }
    await send(response, await toResponse(processed))
  }
}

/** Returns what agents see of an API, beside its tools. */
function describeServer({ description }: Contract) {
  const { info, apiVersion } = description
  const { title, summary, description: text } = info.texts
  const about = toText(summary) ?? toText(text) ?? ''
  const instructions = `${about}\n\n${advice}`.trim()
  return { name: String(title), version: apiVersion, instructions }
}

/** What an agent must know of all tools. */
const advice = `Each tool is an operation of an HTTP API. A result has the status of the response, its headers and its body.
If it is an error, its message and its details say what was expected: correct the arguments and call the tool again.
If a result has "next", a call with these arguments gets the next page.`

/** Returns a message as the package of the protocol takes it, without its body. */
function toWebRequest({ method, headers }: HttpRequest, signal: AbortSignal): Request {
  const fields = readHeaders.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  // The package reads nothing of the URL.
  return new Request('http://localhost', { method, headers: Object.fromEntries(fields), signal })
}

async function toResponse(processed: Response): Promise<AnyResponse> {
  const { status } = processed
  const text = await processed.text()
  if (text === '') {
    return { status }
  }
  const mediaType = processed.headers.get('content-type') ?? json
  // A value of JSON would be written again.
  return { status, mediaType, body: isJsonType(mediaType) ? Buffer.from(text) : text }
}
