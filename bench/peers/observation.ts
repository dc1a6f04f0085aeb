import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { basePath, operations } from '../../generated/operations.ts'
import type { Exchange } from './exchange.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Makes what a peer tells of each request: the line and the metrics that the service makes. */
export function createObservation(log: Logger) {
  const measure = measureRequests()

  /** Notes how a request comes out; its exchange is asked for when it is over. */
  function watch(
    { method }: IncomingMessage,
    response: ServerResponse,
    exchangeOf: () => Exchange | undefined,
  ): void {
    const from = performance.now()
    measure.begin()
    response.once('close', () => {
      const exchange = exchangeOf()
      const status = response.writableFinished ? response.statusCode : undefined
      const milliseconds = performance.now() - from
      measure.end(exchange, status, milliseconds / 1000)
      const route = exchange && basePath + operations[exchange.operationId].path
      const { requestId, path, operationId, callerId: keyId } = exchange ?? {}
      const facts = { requestId, method, path, operationId, route, status }
      log.info(
        { ...facts, milliseconds: Math.round(milliseconds * 1000) / 1000, keyId },
        'answered',
      )
    })
  }

  return { watch }
}

function measureRequests() {
  const register = new Registry()
  const registers = [register]
  collectDefaultMetrics({ register })
  const labelNames = ['operation', 'status'] as const
  const durations = new Histogram({ name: 'seconds', help: '-', labelNames, buckets, registers })
  const uses = new Counter({ name: 'uses', help: '-', labelNames: ['operation', 'key'], registers })
  const running = new Gauge({
    name: 'in_flight',
    help: '-',
    registers,
    collect() {
      running.set(inFlight)
    },
  })
  const observers = new Map<string, (seconds: number) => void>()
  let inFlight = 0

  return {
    begin(): void {
      inFlight++
    },
    end(exchange: Exchange | undefined, status: number | undefined, seconds: number): void {
      inFlight--
      const { operationId: operation = '(unknown)', callerId: key } = exchange ?? {}
      const name = `${operation} ${status}`
      const observe =
        observers.get(name) ?? durations.labels({ operation, status: `${status}` }).observe
      observers.set(name, observe)
      observe(seconds)
      if (operation === 'getPet' && key !== undefined) uses.inc({ operation, key })
    },
  }
}
