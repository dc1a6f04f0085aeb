import type { IncomingMessage } from 'node:http'
import { basePath, operations } from '../../generated/operations.ts'
import { createAuthenticate } from '../../server/auth/authenticate.ts'
import { createKeyCache } from '../../server/auth/key-cache.ts'
import { openLimits } from '../../server/auth/limits.ts'
import { createUsageCounter } from '../../server/auth/usage-counter.ts'
import { readConfig } from '../../server/config.ts'
import {
  ApiError,
  internalError,
  invalidRequest,
  toErrorResponse,
} from '../../server/contract/errors.ts'
import { deprecationHeaders, securityHeaders } from '../../server/contract/headers.ts'
import { toRequestId } from '../../server/contract/request-context.ts'
import { createLog } from '../../server/ops/log.ts'
import { createHandlers } from '../../server/pets/handlers.ts'
import { openStore } from '../../server/store/store.ts'
import { type Answer, type AnyResponse, toAnswer } from './answer.ts'
import type { Exchange, OperationId, Values } from './exchange.ts'
import { createObservation } from './observation.ts'

type AnyHandler = (input: unknown, context: unknown) => AnyResponse | Promise<AnyResponse>

/**
 * Opens what the service does for a request beside HTTP and the contract, so that its peers do the
 * same: store, handlers, key check, limits, header fields, the line of the log and the metrics
 * (`observation.ts`). Nothing else of the peers imports the service.
 */
export async function openWork() {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const store = await openStore(config.databaseUrl)
  const usage = createUsageCounter(store.usage, (err) => log.warn({ err }, 'uses are not written'))
  const { limits } = await openLimits(config, log)
  const authenticate = createAuthenticate({ keyCache: createKeyCache(store.keys), usage, limits })
  const answer = answerBy(createHandlers({ store, idempotencyHours: config.idempotencyHours }))
  const { watch } = createObservation(log)
  const announced = announcements()

  /** Decides on a request before anything else of it is looked at. */
  async function open(request: IncomingMessage, operationId: OperationId): Promise<Exchange> {
    const requestId = toRequestId(request.headers['x-request-id'])
    const { authorization } = request.headers
    const authentication = await authenticate({
      authorization: authorization === undefined ? [] : [authorization],
      address: () => request.socket.remoteAddress ?? '',
      isKeyOptional: () => false,
    })
    const { headers, callerId, error: refusal } = authentication
    const own = { ...securityHeaders, 'X-Request-Id': requestId, ...announced[operationId] }
    const [path = '/'] = request.url?.split('?', 1) ?? []
    return {
      operationId,
      path,
      requestId,
      headers: { ...own, ...headers },
      callerId,
      refusal,
      errorCode: undefined,
    }
  }

  return { open, watch, answer, refuse }
}

export type Work = Awaited<ReturnType<typeof openWork>>

/** The answer to a request that goes no further, for a reason of its own or for one that is found. */
function refuse(exchange: Exchange, error: unknown = exchange.refusal): Answer {
  const refusal = error instanceof ApiError ? error : internalError(error)
  exchange.errorCode = refusal.code
  return toAnswer(exchange, toErrorResponse(refusal))
}

/** What a request is refused with whose values its schemas do not allow. */
export function invalid(path: string, message: string): Error {
  return invalidRequest([{ path, message }])
}

function answerBy(handlers: Readonly<Record<OperationId, unknown>>) {
  return async function answer(exchange: Exchange, values: Values): Promise<Answer> {
    const { operationId, path, callerId } = exchange
    // Who serves the request has read its values, and validated them if that is what it does.
    const handle = handlers[operationId] as AnyHandler
    const hrefWith = (query: Readonly<Record<string, unknown>>): string => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined)
      return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
    }
    const input = { path: {}, query: {}, headers: {}, cookies: {}, ...values }
    try {
      return toAnswer(exchange, await handle(input, { callerId, hrefWith }))
    } catch (error) {
      return refuse(exchange, error)
    }
  }
}

/** The header fields that announce the end of each operation that has one. */
function announcements() {
  const of = (id: OperationId) => deprecationHeaders(operations[id], operations, basePath)
  return { listPets: of('listPets'), createPet: of('createPet'), getPet: of('getPet') }
}
