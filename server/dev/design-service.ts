import { basePath, operations } from '../../generated/operations.ts'
import type { LoggedRequest, OperationState } from '../../scripts/dev/loop-state.ts'
import type { FromService } from '../../scripts/dev/service-messages.ts'
import { readServedDescription } from '../api.ts'
import { ConfigError, readConfig } from '../config.ts'
import { locate, rootOf } from '../contract/description.ts'
import type { Operation } from '../contract/operation.ts'
import { firstSteps, makeFirstKey } from '../first-key.ts'
import { createMock } from '../mock/mock.ts'
import { createLog } from '../ops/log.ts'
import type { EndedRequest } from '../ops/telemetry.ts'
import { createHandlers } from '../pets/handlers.ts'
import { explain } from '../plain-error.ts'
import { type Service, startService } from '../service.ts'
import { StoreError } from '../store/errors.ts'
import { openStore, type Store } from '../store/store.ts'

/**
 * Starts the service while its API is designed: operations without a handler respond with samples, and
 * responses that violate the description are sent and reported. `known` is the key of the service before,
 * which a store in memory has lost. Returns the function that stops it.
 */
export async function startDesignService(
  send: (message: FromService) => void,
  origin: Promise<string>,
  known?: string,
): Promise<() => Promise<void>> {
  let store: Store | undefined
  let service: Service | undefined
  const stop = async (): Promise<void> => {
    await service?.stop()
    await store?.close()
  }
  try {
    const config = readConfig({ RESPONSE_VALIDATION: 'log', ...process.env })
    send({ kind: 'wanted', host: config.host, port: config.port })
    const log = createLog(config.logLevel)
    const onRestricted = (notice: string): void => log.warn(notice)
    store = await openStore(config.databaseUrl, { onRestricted })
    // The loop is a proxy in front of it. The next service starts before this one has ended.
    const behind = { host: '127.0.0.1', port: 0, opsPort: 'off' } as const
    const trustProxy = config.trustProxy + 1
    service = await startService({ ...config, ...behind, trustProxy }, store, log, {
      createMock,
      onRequest: (ended) => {
        const request = toLoggedRequest(ended)
        if (request !== undefined) send({ kind: 'answered', request })
      },
    })
    const key = await makeFirstKey(store, known)
    const isNew = key !== undefined && key !== known
    const notice = isNew ? firstSteps(await origin, key) : ''
    const handlers = createHandlers({ store, idempotencyHours: config.idempotencyHours })
    const port = Number(new URL(service.origin).port)
    send({ kind: 'ready', port, operations: list(handlers), notice, key, basePath })
  } catch (error) {
    const isFinal = error instanceof ConfigError || error instanceof StoreError
    send({ kind: 'failed', message: explain(error), isFinal })
  }
  return stop
}

/** Returns what the studio shows of a request; undefined for one that is not to the API, or has no response. */
function toLoggedRequest({ method, status, ...ended }: EndedRequest): LoggedRequest | undefined {
  const { requestId: id, rawQuery, violations, errorCode, isApiRequest } = ended.locals
  if (!isApiRequest || status === undefined) return undefined
  const at = new Date(Date.now() - ended.milliseconds).toISOString()
  const path = rawQuery === '' ? ended.locals.path : `${ended.locals.path}?${rawQuery}`
  const milliseconds = Math.round(ended.milliseconds * 10) / 10
  const code = errorCode === undefined ? {} : { code: errorCode }
  return { at, id, method, path, status, milliseconds, violations, ...code }
}

function list(handlers: object): readonly OperationState[] {
  const description = readServedDescription()
  return Object.values(operations).map((operation: Operation) => {
    const { operationId, method, path, deprecation } = operation
    const described = locate(description, rootOf(description), 'paths', path, method)?.node
    const summary = described?.['summary']
    return {
      ...{ operationId, method, path },
      state: Object.hasOwn(handlers, operationId) ? 'implemented' : 'mocked',
      deprecated: deprecation !== undefined,
      ...(typeof summary === 'string' && { summary }),
      ...(deprecation?.sunset !== undefined && { sunset: deprecation.sunset }),
    }
  })
}
