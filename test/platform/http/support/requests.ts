import type { TestService } from '../../../helpers/service.ts'

/** The path of the tools in the fixture API. */
export const tools = '/lending/v2/tools'

/** A tool in JSON, of 27 ASCII characters. */
export const tool = '{"kind":"saw","name":"abc"}'

/** Writes requests with a service's key, byte by byte. */
export function createRequests({ apiKey }: Pick<TestService, 'apiKey'>) {
  const usual = `Host: a\r\nAuthorization: Bearer ${apiKey}\r\n`
  const create = `POST ${tools} HTTP/1.1\r\n${usual}Content-Type: application/json\r\n`
  return {
    /** A request without content. */
    get: (target = tools, fields = '') => `GET ${target} HTTP/1.1\r\n${usual}${fields}\r\n`,
    /** A create; the fields say how long its content is. */
    post: (fields = length, content = tool) => `${create}${fields}\r\n${content}`,
    /** A create in chunks, as they are written. */
    chunked: (chunks: string, fields = '') =>
      `${create}Transfer-Encoding: chunked\r\n${fields}\r\n${chunks}`,
    /** A request that ends the connection; its response shows that both sides agree where it began. */
    last: 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  }
}

export type Requests = ReturnType<typeof createRequests>

/** A chunk, and what ends the content. */
export const chunk = (content: string, extension = '') =>
  `${content.length.toString(16)}${extension}\r\n${content}\r\n`
export const lastChunk = '0\r\n\r\n'

/** A tool in one chunk, and how its length is given without chunks. */
export const body = chunk(tool) + lastChunk
export const length = `Content-Length: ${tool.length}\r\n`

/** How many tools a service has. */
export async function countTools({ send }: Pick<TestService, 'send'>): Promise<number> {
  return Number((await send(tools)).headers.get('x-total'))
}
