import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from '../../../helpers/free-port.ts'

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

/** A collector of traces: it takes OTLP over HTTP, in JSON. */
export interface Collector {
  readonly url: string
  /** What it was sent, as text. */
  readonly received: readonly string[]
  readonly spans: () => readonly ReceivedSpan[]
  /** What the sender says of itself. */
  readonly resource: () => Readonly<Record<string, unknown>>
}

/** Starts a collector that answers with a status, or never. */
export async function startCollector(status: number | 'never' = 200): Promise<Collector> {
  const received: string[] = []
  const server = createServer(async (request, response) => {
    received.push(`${request.method} ${request.url}\n${await text(request)}`)
    if (status !== 'never') response.writeHead(status).end('{}')
  })
  const groups = () => received.flatMap((message) => JSON.parse(bodyOf(message)).resourceSpans)
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    received,
    spans: () =>
      groups()
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => ({ ...span, attributes: toRecord(span.attributes) })),
    resource: () => toRecord(groups()[0].resource.attributes),
  }
}

function bodyOf(message: string): string {
  return message.slice(message.indexOf('\n'))
}

interface KeyValue {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

// A value is an object with one member, whose name is its type.
function toRecord(attributes: readonly KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
