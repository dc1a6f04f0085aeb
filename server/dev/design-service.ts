import { basePath, operations } from '../../generated/operations.ts'
import type { OperationState } from '../../scripts/dev/loop-state.ts'
import type { FromService } from '../../scripts/dev/service-messages.ts'
import { ConfigError, readConfig } from '../config.ts'
import { locate, rootOf } from '../contract/description.ts'
import type { Operation } from '../contract/operation.ts'
import { firstSteps, makeFirstKey } from '../first-key.ts'
import { createMock } from '../mock/mock.ts'
import { createLog } from '../ops/log.ts'
import { createHandlers } from '../pets/handlers.ts'
import { explain } from '../plain-error.ts'
import { readServedDescription } from '../served-description.ts'
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
  origin: () => Promise<string>,
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
    // The loop is a proxy in front of it.
    const address = { host: '127.0.0.1', port: 0 } as const
    // The next service starts before this one has ended: they cannot share a port.
    const behind = { ...address, opsPort: 'off', trustProxy: config.trustProxy + 1 } as const
    service = await startService({ ...config, ...behind }, store, log, {
      createStandIn: createMock,
      onRequest: (request) => send({ kind: 'answered', request }),
    })
    const key = await makeFirstKey(store, known)
    const isNew = key !== undefined && key !== known
    const notice = isNew ? firstSteps(await origin(), key) : ''
    const handlers = createHandlers({ store, idempotencyHours: config.idempotencyHours })
    const port = Number(new URL(service.origin).port)
    send({ kind: 'ready', port, operations: list(handlers), notice, key, basePath })
  } catch (error) {
    const isFinal = error instanceof ConfigError || error instanceof StoreError
    send({ kind: 'failed', message: explain(error), isFinal })
  }
  return stop
}

function list(handlers: object): readonly OperationState[] {
  const all: readonly Operation[] = Object.values(operations)
  const description = readServedDescription()
  return all.map(({ operationId, method, path, deprecation }) => {
    const described = locate(description, rootOf(description), 'paths', path, method)?.node
    const summary = described?.['summary']
    const sunset = deprecation?.sunset
    return {
      operationId,
      method,
      path,
      state: Object.hasOwn(handlers, operationId) ? 'implemented' : 'mocked',
      deprecated: deprecation !== undefined,
      ...(typeof summary === 'string' ? { summary } : {}),
      ...(sunset === undefined ? {} : { sunset }),
    }
  })
}
