import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../../helpers/free-port.ts'
import type { UncheckedJson } from '../../../helpers/unchecked-json.ts'

/** A span as a collector gets it, its attributes by name. */
export interface ReceivedSpan {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly kind: number
  readonly status: { readonly code: number }
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Starts a collector of traces, by OTLP over HTTP in JSON, that responds, or never does. */
export async function startCollector(isSilent: boolean) {
  const received: string[] = []
  let open = 0
  const server = createServer(async (request, response) => {
    open++
    response.once('close', () => open--)
    received.push(`${request.method} ${request.url}\n${await text(request)}`)
    if (!isSilent) {
      response.end('{}')
    }
  })
  const groups = () =>
    received.flatMap((message) => {
      const body: UncheckedJson = JSON.parse(message.slice(message.indexOf('\n')))
      return body.resourceSpans
    })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    /** Returns the number of requests whose senders wait for a response. */
    open: () => open,
    /** The requests that it received, as text. */
    received: received as readonly string[],
    spans: (): readonly ReceivedSpan[] =>
      groups()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: toRecord(span.attributes) })),
    /** Returns the attributes of the service that sent the spans. */
    resource: () => toRecord(groups()[0].resource.attributes),
  }
}

// A value is an object with one member, whose name is its type.
function toRecord(attributes: readonly { readonly key: string; readonly value: object }[]) {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
