import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { basePath, operations } from '../../generated/operations.ts'
import { readConfig } from '../../server/config.ts'
import type { RequestContext } from '../../server/contract/request-context.ts'
import { HttpServer } from '../../server/http-server.ts'
import { LoadShedding } from '../../server/ops/load-shedding.ts'
import { Metrics } from '../../server/ops/metrics.ts'
import { createAccessLog } from '../../server/ops/telemetry.ts'
import type { Exchange } from './exchange.ts'

/** Makes what a peer tells of each request: the line and the metrics of the service, by its observers. */
export function createObservation(log: Logger) {
  const config = readConfig({})
  const metrics = new Metrics({
    ...{ version: '', operationIds: Object.keys(operations), mostConnections: 0 },
    loadShedding: new LoadShedding(config, log),
    server: new HttpServer(config, log),
  })
  const logRequest = createAccessLog(log, basePath)

  /** Notes how a request comes out; its exchange is asked for when it is over. */
  function watch(
    { method = '' }: IncomingMessage,
    response: ServerResponse,
    exchangeOf: () => Exchange | undefined,
  ): void {
    const from = performance.now()
    metrics.begin()
    response.on('close', () => {
      const exchange = exchangeOf()
      const locals = exchange === undefined ? unknown : asInService(exchange)
      const status = response.writableFinished ? response.statusCode : undefined
      const ended = { method, status, milliseconds: performance.now() - from, locals }
      logRequest(ended)
      metrics.end(ended)
    })
  }

  return { watch }
}

const unknown: RequestContext = {
  ...{ requestId: '', path: '', rawQuery: '', isApiRequest: true, operation: undefined },
  ...{ headers: {}, callerId: undefined, values: undefined, violations: [], errorCode: undefined },
}

function asInService({ operationId, ...known }: Exchange): RequestContext {
  const { requestId, path, callerId, errorCode } = known
  return { ...unknown, requestId, path, operation: operations[operationId], callerId, errorCode }
}
