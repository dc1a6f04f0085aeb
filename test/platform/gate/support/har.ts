/** A request, as a test writes it. */
export interface Sent {
  readonly method?: string
  /** The path with its query under the base path, or a whole URL. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly cookies?: Readonly<Record<string, string>>
  /** A body in JSON, or the `postData` of the recording. */
  readonly json?: unknown
  readonly postData?: object
  readonly bodySize?: number
}

const base = 'https://staging.tool-library.example/lending/v2'

const toPairs = (values: Readonly<Record<string, string>> = {}) =>
  Object.entries(values).map(([name, value]) => ({ name, value }))

/** Returns the text of a recording in the format HAR 1.2. */
export function toHar(requests: readonly Sent[]): string {
  const entries = requests.map(({ method = 'GET', url, headers, cookies, json, ...sent }) => {
    const content = json === undefined ? undefined : JSON.stringify(json)
    const posted = content && { mimeType: 'application/json', text: content }
    return {
      startedDateTime: '2026-11-20T12:00:00.000Z',
      request: {
        method,
        url: url.startsWith('/') ? base + url : url,
        httpVersion: 'HTTP/2',
        headers: toPairs(headers),
        cookies: toPairs(cookies),
        queryString: [],
        ...(posted && { postData: posted }),
        bodySize: content?.length ?? 0,
        ...sent,
      },
      response: { status: 200, content: { mimeType: 'application/json', text: '[]' } },
    }
  })
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test' }, entries } })
}
