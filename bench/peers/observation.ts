import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { basePath, operations } from '../../generated/operations.ts'
import type { RequestContext } from '../../server/contract/request-context.ts'
import { createAccessLog } from '../../server/ops/access-log.ts'
import { countDeprecatedUse, measureRequests } from '../../server/ops/request-metrics.ts'
import type { Exchange } from './exchange.ts'

/** Makes what a peer tells of each request: the line and the metrics of the service, by its observers. */
export function createObservation(log: Logger) {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const observers = [
    createAccessLog(log, basePath),
    measureRequests([register], Object.keys(operations)),
    countDeprecatedUse([register]),
  ]

  /** Notes how a request comes out; its exchange is asked for when it is over. */
  function watch(
    { method = '', url = '' }: IncomingMessage,
    response: ServerResponse,
    exchangeOf: () => Exchange | undefined,
  ): void {
    const from = performance.now()
    const seen = { locals: unknown, statusCode: 0 }
    const told = observers.map((watcher) => watcher({ method, url }, seen))
    response.on('close', () => {
      const exchange = exchangeOf()
      if (exchange !== undefined) seen.locals = asInService(exchange)
      const status = response.writableFinished ? response.statusCode : undefined
      const outcome = { status, milliseconds: performance.now() - from }
      for (const tell of told) tell(outcome)
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
