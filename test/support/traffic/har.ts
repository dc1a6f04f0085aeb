import { type Exchange, headerValue } from './exchange.ts'

/** Exchanges as a HAR 1.2 log, the format that tools read recorded traffic from. */
export function toHar(exchanges: readonly Exchange[]): string {
  const creator = { name: 'the tests', version: '1' }
  return JSON.stringify({ log: { version: '1.2', creator, entries: exchanges.map(toEntry) } })
}

function toEntry(exchange: Exchange) {
  const { test, method, url, requestHeaders, requestBody, status, headers, body } = exchange
  const mimeType = headerValue(requestHeaders, 'content-type') ?? ''
  const query = [...new URL(url).searchParams].map(([name, value]) => ({ name, value }))
  return {
    comment: test,
    startedDateTime: new Date(0).toISOString(),
    time: 0,
    timings: { send: 0, wait: 0, receive: 0 },
    cache: {},
    request: {
      ...{ method, url, httpVersion: 'HTTP/1.1', cookies: [], queryString: query },
      headers: requestHeaders,
      ...(requestBody === undefined ? {} : { postData: { mimeType, text: requestBody } }),
      ...{ headersSize: -1, bodySize: -1 },
    },
    response: {
      ...{ status, statusText: '', httpVersion: 'HTTP/1.1', cookies: [], headers },
      content: { size: -1, mimeType: headerValue(headers, 'content-type') ?? '', text: body },
      ...{ redirectURL: '', headersSize: -1, bodySize: -1 },
    },
  }
}
