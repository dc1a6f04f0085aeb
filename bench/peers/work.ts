import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Request, Response } from 'express'
import document from '../../generated/openapi.json' with { type: 'json' }
import { basePath, operations } from '../../generated/operations.ts'
import { errorFormat } from '../../server/api/error-format.ts'
import { createHandlers } from '../../server/api/handlers.ts'
import { plans } from '../../server/api/plans.ts'
import { schema } from '../../server/api/schema.ts'
import { createAuthenticators } from '../../server/api/security.ts'
import { readConfig } from '../../server/config.ts'
import { ErrorResponses } from '../../server/contract/error-responses.ts'
import { ApiError, internalError, toErrorResponse } from '../../server/contract/errors.ts'
import { type AnyResponse, respond, respondError } from '../../server/contract/handler-response.ts'
import {
  createSuccessorLink,
  deprecationHeaders,
  type ResponseHeaders,
  securityHeaders,
} from '../../server/contract/headers.ts'
import { createWebhooks } from '../../server/contract/webhooks.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import { HttpServer } from '../../server/http/http-server.ts'
import { type RequestContext, toRequestId } from '../../server/http/request-context.ts'
import { LoadShedding } from '../../server/ops/load-shedding.ts'
import { createLog } from '../../server/ops/log.ts'
import { Metrics } from '../../server/ops/metrics.ts'
import { createAccessLog } from '../../server/ops/telemetry.ts'
import { listen as listenAt } from '../../server/process/node-http.ts'
import { authentication } from '../../server/security/authenticate.ts'
import { openAuthenticators } from '../../server/security/authenticators.ts'
import { KeyCache } from '../../server/security/key-cache.ts'
import { openLimits } from '../../server/security/rate-limits.ts'
import { createUsageCounter } from '../../server/security/usage-counter.ts'
import { openStore } from '../../server/store/store.ts'

/** The operations that the peers serve; one that is added need not be written again for each of them. */
export type OperationId = Extract<keyof typeof operations, 'listPets' | 'createPet' | 'getPet'>

/** A request, while a peer works on it. */
export interface Call extends RequestContext {
  readonly operationId: OperationId
  /** Why the request is rejected before its handler. */
  error: unknown
}

/** The values of a request, as its server has read them. */
export type Values = Partial<Record<'path' | 'query' | 'headers' | 'body', unknown>>

export interface PeerResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** What creates the responses of a handler. */
const responses = { respond, respondError }

type AnyHandler = (input: unknown, context: unknown) => Promise<AnyResponse>

/**
 * Opens what the service does for a request beside HTTP and validation, so that its peers do the same:
 * store, handlers, API keys, rate limits, headers, access log and metrics.
 */
export async function openWork() {
  const config = readConfig(process.env)
  const log = createLog(config.logLevel)
  const store = await openStore(config.databaseUrl, schema)
  const usage = createUsageCounter(store.usage, log)
  const limits = await openLimits(config, log)
  const description = readBundled(document)
  const keys = new KeyCache(store.keys)
  const parts = { store, keys, plans, settings: config, log }
  const authenticate = authentication({
    description,
    operations: Object.values(operations),
    authenticators: openAuthenticators(createAuthenticators, description, parts),
    usage,
    limits,
    corsOrigins: config.corsOrigins,
  })
  const handlers = createHandlers({
    store,
    idempotencyHours: config.idempotencyHours,
    webhooks: createWebhooks(() => description),
    closeOnStop: () => undefined,
    addReadinessCheck: () => undefined,
  })
  const metrics = new Metrics({
    version: '',
    operationIds: Object.keys(operations),
    maxConnections: 0,
    loadShedding: new LoadShedding(config, log),
    server: new HttpServer(config, new ErrorResponses(description, errorFormat), log),
  })
  const logRequest = createAccessLog(log, basePath)

  /** Checks the API key and the rate limits of a request, which is logged and measured at its end. */
  async function open(
    request: IncomingMessage,
    response: ServerResponse,
    operationId: OperationId,
  ): Promise<Call> {
    const from = performance.now()
    const requestId = toRequestId(request.headers['x-request-id'])
    const operation = operations[operationId]
    const Link = createSuccessorLink(operation, operations, basePath)?.({})
    const deprecation = { ...deprecationHeaders(operation), Link }
    const [path = '/', rawQuery = ''] = request.url?.split('?', 2) ?? []
    const call: Call = {
      operationId,
      operation,
      allow: '',
      path,
      rawQuery,
      credentialNames: new Set(),
      requestId,
      error: undefined,
      headers: { ...securityHeaders, 'X-Request-Id': requestId, ...deprecation },
      isApiRequest: true,
      isProbe: false,
      violations: [],
    }
    try {
      // It reads the header fields of the one, and the locals of the other.
      const withLocals = { locals: call } as unknown as Response
      await authenticate(request as Request, withLocals, () => undefined)
    } catch (error) {
      call.error = error
    }
    response.on('close', () => {
      const { method = '' } = request
      const status = response.writableFinished ? response.statusCode : undefined
      const ended = { method, status, milliseconds: performance.now() - from, locals: call }
      logRequest(ended)
      metrics.end(ended)
    })
    return call
  }

  /** Calls the handler with values that the server has read, and validated if it does that. */
  async function callHandler(call: Call, values: Values): Promise<PeerResponse> {
    const { operationId, path, caller } = call
    const handle = handlers[operationId] as unknown as AnyHandler
    const hrefWith = (query: ResponseHeaders): string => {
      const given = Object.entries(query).filter(([, value]) => value !== undefined)
      return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`
    }
    try {
      const input = { path: {}, query: {}, headers: {}, cookies: {}, ...values }
      return toResponse(
        call,
        await handle(input, { caller, callerId: caller?.id, hrefWith, ...responses }),
      )
    } catch (error) {
      return reject(call, error)
    }
  }

  return { open, respond: callHandler, reject }
}

/** Returns the response to a request that is rejected. */
function reject(call: Call, error: unknown = call.error): PeerResponse {
  const apiError = error instanceof ApiError ? error : internalError(error)
  call.errorCode = apiError.code
  return toResponse(call, toErrorResponse(apiError))
}

function toResponse(
  { headers: own, requestId }: Call,
  { status, headers, body: given, error }: AnyResponse,
): PeerResponse {
  const body = error === undefined ? given : errorFormat.toBody({ ...error, status, requestId })
  const fields = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== undefined)
  const texts = fields.map(([name, value]) => [name, String(value)])
  return { status, headers: Object.fromEntries(texts), body }
}

/** Returns the operation that a request asks for. */
export function operationOf(method: string | undefined, path: string): OperationId | undefined {
  const pets = `${basePath}/pets`
  if (path === pets && method === 'POST') {
    return 'createPet'
  }
  if (method !== 'GET') {
    return undefined
  }
  if (path === pets) {
    return 'listPets'
  }
  return path.startsWith(`${pets}/`) ? 'getPet' : undefined
}

/** Listens on a free port and prints where, as the service does. */
export async function listen(server: Server): Promise<void> {
  console.log((await listenAt(server, '127.0.0.1', 0)) + basePath)
}
