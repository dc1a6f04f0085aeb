import { Agent, request as openRequest } from 'node:http'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import type { Contract } from '../../server/contract/contract.ts'
import { errorObject } from '../../server/contract/error-format.ts'
import { ErrorResponses } from '../../server/contract/error-responses.ts'
import type { ApiError } from '../../server/contract/errors.ts'
import type { CallableHandler } from '../../server/contract/handler.ts'
import type { Operation } from '../../server/contract/operation.ts'
import { readBundled } from '../../server/description/description-reader.ts'
import type { JsonObject } from '../../server/description/json.ts'
import type { Settings } from '../../server/description/settings.ts'
import { HttpServer } from '../../server/http/http-server.ts'
import { OpenStreams } from '../../server/http/open-streams.ts'
import { LoadShedding } from '../../server/ops/load-shedding.ts'
import { createLog } from '../../server/ops/log.ts'
import { OperatorError } from '../../server/process/operator-error.ts'
import { ThrottledLog } from '../../server/process/throttled-log.ts'
import { assertServable } from '../../server/start-up/servable.ts'
import { bundleDescription, openDescription } from '../pipeline/bundle.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { readBasePath, readOperations } from '../pipeline/operations.ts'
import { readServiceFile } from '../pipeline/service-file.ts'
import type { RecordedRequest } from './recording.ts'

/** What the service does with a request, before a handler. */
export interface Outcome {
  /** The operation that method and path name, if there is one. */
  readonly operation: Operation | undefined
  /** Whether the request reaches its handler. */
  readonly isAccepted: boolean
  /** The status of the response to a request that is rejected. */
  readonly status: number | undefined
  readonly rejection: ApiError | undefined
}

/** Sends requests to the service as it would be on a description. */
export interface Replay {
  readonly basePath: string
  readonly send: (request: RecordedRequest) => Promise<Outcome>
  readonly close: () => Promise<void>
}

/**
 * Starts the application of the service on a description, without keys, limits and store: it responds to
 * every request that is valid, and rejects the others as the service does. `name` is that of the
 * description in messages.
 */
export async function openReplay(file: string, name: string): Promise<Replay> {
  const bundled = await bundleDescription(await openDescription(file))
  const contract = toContract(bundled, readServiceFile(file).settings)
  const { operations, basePath } = contract
  let isAccepted = false
  const accept: CallableHandler = () => {
    isAccepted = true
    return { status: 204 }
  }
  const handlers = Object.fromEntries(Object.keys(operations).map((id) => [id, accept]))
  checkServable(name, () => assertServable(contract, handlers))
  const config = readConfig({ PORT: '0', RATE_LIMITS: 'off', RESPONSE_VALIDATION: 'log' })
  const log = createLog('silent', { write: () => undefined })
  const loadShedding = new LoadShedding(config, log)
  let locals: Partial<Express.Locals> = {}
  const errors = new ErrorResponses(contract.description, errorObject)
  const stopping = new AbortController().signal
  const app = createApp({
    config,
    contract,
    errors,
    handlers,
    isMocked: false,
    // Recordings are often without credentials.
    authenticate: (_request, _response, next) => next(),
    pages: {},
    loadShedding,
    storeErrorLog: new ThrottledLog(log, { startMessage: '', endMessage: '' }),
    telemetry(_request, response, next) {
      locals = response.locals
      next()
    },
    streams: new OpenStreams(config, stopping, log),
    stopping,
    log,
  })
  const server = new HttpServer(config, errors, log)
  const { port } = new URL(await server.listen(app))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    basePath,
    async send(request) {
      isAccepted = false
      locals = {}
      const status = await sendTo(Number(port), agent, request)
      const { operation, rejection } = locals
      assertJudged(name, rejection)
      return { operation, isAccepted, status, rejection }
    },
    async close() {
      agent.destroy()
      loadShedding.stop()
      await server.close()
    },
  }
}

function toContract(bundled: JsonObject, settings: Settings): Contract {
  // The generated file has no member that is undefined.
  const description = readBundled(JSON.parse(JSON.stringify(bundled)))
  // The table is the one that `npm run generate` prints, which the service reads.
  const table = readOperations(description, settings)
  const operations: Contract['operations'] = JSON.parse(JSON.stringify(table))
  return { description, operations, basePath: readBasePath(description), settings }
}

function checkServable(name: string, check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof OperatorError)) {
      throw error
    }
    throw new DescriptionError([`${name} cannot be served: ${error.message}`])
  }
}

/** Throws if the description is wrong, not the request. */
function assertJudged(name: string, rejection: ApiError | undefined): void {
  if (rejection?.code !== 'internal_error') {
    return
  }
  const { cause } = rejection
  const reason = cause instanceof Error ? cause.message : 'an unexpected error'
  const advice = 'what is wrong in it is printed by: npm run generate'
  throw new DescriptionError([`requests cannot be validated by ${name}: ${reason}; ${advice}`])
}

/** Methods for which Node.js would announce a body. */
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH'])

/** Sends a request; returns the status of the response, or undefined if none could be read. */
function sendTo(
  port: number,
  agent: Agent,
  recorded: RecordedRequest,
): Promise<number | undefined> {
  const { method, target, headers, body } = recorded
  const hasLength = body !== undefined || bodyMethods.has(method)
  const length = hasLength ? ['Content-Length', String(body?.byteLength ?? 0)] : []
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, agent, method, path: target, setHost: false }
    const fields = ['Host', `127.0.0.1:${port}`, ...headers, ...length]
    const request = openRequest({ ...options, headers: fields }, (response) => {
      response.resume().once('close', () => resolve(response.statusCode))
    })
    // The service may close the connection after a rejection.
    request.on('error', () => resolve(undefined))
    request.end(body)
  })
}
