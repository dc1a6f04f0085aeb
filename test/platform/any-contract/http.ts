import { request } from 'node:http'

/** A request, as it is sent: nothing is normalised or added, but `Host` and `Connection`. */
export interface SentRequest {
  readonly method: string
  /** The path with its query, as the request line has it. */
  readonly target: string
  /** The fields in their order; a name may be there twice. */
  readonly headers: readonly (readonly [string, string])[]
  readonly body?: string | Buffer | undefined
}

/** A response, as it was received. */
export interface ReceivedResponse {
  readonly status: number
  /** The fields by name in lower case, several values joined by commas. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The same, where it is no text. */
  readonly bytes: Buffer
}

/** Sends a request, and receives the whole response. */
export function send(origin: string, sent: SentRequest): Promise<ReceivedResponse> {
  const { hostname, port } = new URL(origin)
  const headers = ['Host', `${hostname}:${port}`, 'Connection', 'close', ...sent.headers.flat()]
  if (sent.body !== undefined) {
    headers.push('Content-Length', String(Buffer.byteLength(sent.body)))
  }

  const { method, target: path } = sent
  const options = { hostname, port, method, path, headers, timeout: 30_000 }
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const body = bytes.toString()
        const fields = Object.entries(response.headersDistinct)
        const joined = fields.map(([name, values = []]) => [name, values.join(', ')] as const)
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(joined),
          body,
          bytes,
        })
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in 30 s')))
    outgoing.on('error', reject)
    outgoing.end(sent.body)
  })
}
