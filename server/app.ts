import express, { type Express, type RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Contract } from './contract/contract.ts'
import type { ErrorResponses } from './contract/error-responses.ts'
import type { CallableHandler } from './contract/handler.ts'
import { toExpressPath } from './contract/path-template.ts'
import { createRequestValidation } from './contract/request-validation.ts'
import { pagePrefixOf } from './description/platform-paths.ts'
import { requestSettingsOf } from './description/settings.ts'
import { createAcceptCheck } from './http/accept-header.ts'
import { acceptsUploads, readBody } from './http/body/read-body.ts'
import { createCors } from './http/cors.ts'
import { errorHandler } from './http/error-handler.ts'
import { rejectMisframed } from './http/framing.ts'
import type { OpenStreams } from './http/open-streams.ts'
import { requestContext } from './http/request-context.ts'
import {
  callHandler,
  createRoutes,
  type Pages,
  rejectPath,
  rejectUnserved,
  servePages,
} from './http/routes.ts'
import { createSend } from './http/send.ts'
import { createMcpEndpoint } from './mcp/endpoint.ts'
import type { Connect } from './mcp/own-request.ts'
import { probePathsOf } from './ops/health.ts'
import type { LoadShedding } from './ops/load-shedding.ts'
import type { ThrottledLog } from './process/throttled-log.ts'
import type { Upstream } from './upstream/upstream.ts'

/** The parts of an application. */
export interface Dependencies {
  readonly config: Config
  readonly contract: Contract
  /** Gives errors the format of the API. */
  readonly errors: ErrorResponses
  readonly handlers: Readonly<Record<string, CallableHandler>>
  /** Set if a mock responds for some operations. */
  readonly isMocked: boolean
  /** Checks the API key and the rate limits of each request. */
  readonly authenticate: RequestHandler
  readonly pages: Pages
  /** Opens a connection to the service itself, on which agents call operations as tools, if they may. */
  readonly connect?: Connect | undefined
  readonly loadShedding: LoadShedding
  /** The service that implements the operations without a handler, if there is one. */
  readonly upstream?: Upstream | undefined
  /** Logs errors of the store. */
  readonly storeErrorLog: ThrottledLog
  /** Sees how each request ends. */
  readonly telemetry: RequestHandler
  /** Records a span of each request. */
  readonly trace?: RequestHandler | undefined
  readonly streams: OpenStreams
  /** Aborted when the service begins to stop. */
  readonly stopping: AbortSignal
  readonly log: Logger
}

/** Returns the Express application: the middleware that every request passes, in their order. */
export function createApp(dependencies: Dependencies): Express {
  const {
    config,
    contract,
    errors,
    handlers,
    isMocked,
    authenticate,
    loadShedding,
    upstream,
    trace,
    streams,
    stopping,
    log,
  } = dependencies
  const { operations, basePath, settings } = contract
  const { paths, accept } = requestSettingsOf(settings)
  const { responseValidation } = config
  const keepAliveSeconds = config.streamKeepAliveSeconds
  const send = createSend({ log, errors, responseValidation, stopping, streams, keepAliveSeconds })
  const validate = createRequestValidation(contract)
  const checkAccept = createAcceptCheck(contract)
  const cors = createCors({ origins: config.corsOrigins, contract, isMocked, send })

  const tools = createMcpEndpoint({ ...dependencies, send })
  const pages = { ...dependencies.pages, ...tools }

  const undeclared =
    upstream !== undefined && config.upstream.undeclared === 'forward'
      ? [loadShedding.limit, upstream.forwardUndeclared]
      : undefined

  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false)
  app.set('case sensitive routing', paths === 'exact').enable('strict routing')
  app.set('trust proxy', config.trustProxy)
  const isBelowBasePath = createBasePathCheck(basePath, paths)
  const isOfApi = (path: string) => isBelowBasePath(path) && !Object.hasOwn(pages, path)
  const probePaths = probePathsOf(pagePrefixOf(settings))

  app.use(requestContext({ isOfApi, probePaths }), dependencies.telemetry)
  if (trace !== undefined) {
    app.use(trace)
  }
  app.use(cors.allowOrigin, rejectMisframed)

  const pageRoutes = servePages(pages, cors.preflight, send)
  // The routes of the API end every request below its base path.
  const hasPagesBelow = Object.keys(pages).some(isBelowBasePath)
  if (hasPagesBelow) {
    app.use(pageRoutes)
  }

  app.use(
    basePath === '' ? '/' : toExpressPath(basePath),
    createRoutes({
      operations,
      basePath,
      paths,
      authenticate,
      send,
      preflight: cors.preflight,
      undeclared,
      // After the preflight, the API key and the limits.
      call(operation) {
        const isUpload = acceptsUploads(operation)
        const limit = isUpload ? loadShedding.limitUploads : loadShedding.limit

        if (upstream?.implements(operation)) {
          return upstream.stepsOf(operation, limit, validate)
        }
        if (operation.unserved !== undefined) {
          return [rejectUnserved(operation.unserved)]
        }

        // What may be large is read once the request is one of those that are processed.
        return [
          ...(accept === 'check' ? [checkAccept(operation)] : []),
          ...(isUpload ? [limit, readBody] : [readBody, limit]),
          validate(operation),
          callHandler(operation, handlers, send),
        ]
      },
    }),
  )

  if (!hasPagesBelow) {
    app.use(pageRoutes)
  }
  app.use(cors.preflight)
  if (undeclared !== undefined) {
    app.use(authenticate, ...undeclared)
  }
  app.use(rejectPath)
  app.use(errorHandler(send, dependencies.storeErrorLog, log))
  return app
}

/** Returns the function that checks whether a path is the base path or below it. */
function createBasePathCheck(
  basePath: string,
  paths: 'exact' | 'lenient',
): (path: string) => boolean {
  if (paths === 'exact') {
    const start = `${basePath}/`
    return (path) => path === basePath || path.startsWith(start)
  }

  const isBelow = createBasePathCheck(basePath.toLowerCase(), 'exact')
  return (path) => isBelow(path.toLowerCase())
}
