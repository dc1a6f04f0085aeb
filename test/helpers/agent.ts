import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished } from 'vitest'

/** Revisions of the Model Context Protocol: the one of 2026, and those before, which begin with `initialize`. */
export type Revision = '2026-07-28' | 'before'

export interface AgentOptions {
  readonly origin: string
  /** A key, or an empty text for none. */
  readonly key: string
  readonly revision?: Revision
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Connects the official client of the Model Context Protocol to a service, until the test ends. */
export async function connectAgent({
  origin,
  key,
  revision = '2026-07-28',
  path = '/mcp',
  headers = {},
}: AgentOptions) {
  const credentials = key === '' ? {} : { Authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL(origin + path), {
    requestInit: { headers: { ...credentials, ...headers } },
  })
  const mode = revision === 'before' ? 'legacy' : { pin: revision }
  const client = new Client(
    { name: 'an-agent', version: '1.0.0' },
    { versionNegotiation: { mode } },
  )
  onTestFinished(() => client.close())
  await client.connect(transport)

  return {
    client,
    /** Returns the tools by name. */
    async tools() {
      const { tools } = await client.listTools()
      return new Map(tools.map((tool) => [tool.name, tool]))
    },
    /** Calls a tool; returns its structured content, which the text has, too. */
    async call(
      name: string,
      toolArguments: Readonly<Record<string, unknown>> = {},
    ): Promise<AgentResult> {
      const result = await client.callTool({ name, arguments: { ...toolArguments } })
      const { structuredContent, content, isError = false } = result
      const [first] = content
      const text = first?.type === 'text' ? first.text : ''
      const textAsJson: Omit<AgentResult, 'isError'> = JSON.parse(text)
      expect(structuredContent).toEqual(textAsJson)
      return { ...textAsJson, isError }
    },
  }
}

/** What an agent sees of a call. */
export interface AgentResult {
  readonly isError: boolean
  readonly status?: number
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** The arguments of the call for the next page. */
  readonly next?: Readonly<Record<string, unknown>>
  /** Why no request was sent. */
  readonly message?: string
}

/** Returns a message that calls a tool, as clients before 2026 send it. */
export function callMessage(name: string, toolArguments: unknown = {}, id = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: toolArguments } }
}

/** What clients accept. */
export const agentHeaders = { Accept: 'application/json, text/event-stream' }
