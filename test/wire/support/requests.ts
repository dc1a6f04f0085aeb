import type { TestService } from '../../support/service.ts'

/** An animal in JSON, of ASCII characters. */
export const animal = '{"name":"a","categoryId":1}'

/** Writes requests with a service's key, byte by byte. */
export function createRequests({ apiKey }: Pick<TestService, 'apiKey'>) {
  const usual = `Host: a\r\nAuthorization: Bearer ${apiKey}\r\n`
  return {
    /** A request without content. */
    get: (target: string, fields = '') => `GET ${target} HTTP/1.1\r\n${usual}${fields}\r\n`,
    /** A create whose framing the fields have to tell. */
    post: (fields: string, content: string) =>
      `POST /v1/pets HTTP/1.1\r\n${usual}Content-Type: application/json\r\n${fields}\r\n${content}`,
    /** A create in chunks, as they are written. */
    chunked: (chunks: string, fields = '') =>
      `POST /v1/pets HTTP/1.1\r\n${usual}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n${fields}\r\n${chunks}`,
    /** A request that ends the connection; its answer tells that both sides agree where it began. */
    last: 'GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
  }
}

/** A chunk, and what ends the content. */
export const chunk = (content: string, extension = '') =>
  `${content.length.toString(16)}${extension}\r\n${content}\r\n`
export const lastChunk = '0\r\n\r\n'

/** A create's content in one chunk, and how it says its length without chunks. */
export const body = chunk(animal) + lastChunk
export const length = `Content-Length: ${animal.length}\r\n`

/** What is sent, and the statuses of the answers that come back until the connection ends. */
export type Row = readonly [
  what: string,
  statuses: readonly number[],
  write: (requests: ReturnType<typeof createRequests>) => string,
]
