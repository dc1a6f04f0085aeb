import { operations } from '../../generated/operations.ts'
import { createFirstKey, gettingStarted } from '../../server/commands/first-key.ts'
import { readConfig } from '../../server/config.ts'
import { ContractError } from '../../server/contract/contract-error.ts'
import type { Operation } from '../../server/contract/operation.ts'
import { pagePrefixOf } from '../../server/description/platform-paths.ts'
import { createMock } from '../../server/mock/mock.ts'
import { createLog } from '../../server/ops/log.ts'
import type { EndedRequest } from '../../server/ops/telemetry.ts'
import { explain, OperatorError } from '../../server/process/operator-error.ts'
import { readServedApi } from '../../server/served-api.ts'
import { type Service, startService } from '../../server/service.ts'
import { openStore, type Store } from '../../server/store/store.ts'

/** An operation that is served; where it is `sampled`, it has no handler, and the mock responds. */
export type OperationState = Operation & { readonly state: 'implemented' | 'sampled' }

/** A request to the API, and how it ended. */
export interface LoggedRequest {
  /** The time of its start, as an RFC 3339 date-time. */
  readonly at: string
  readonly id: string
  readonly method: string
  /** The path with its query, as it was sent. */
  readonly path: string
  readonly status: number
  readonly milliseconds: number
  /** Where the response violates the contract. */
  readonly violations: readonly string[]
}

/** A message from the process of the service to `npm run dev`. */
export type MessageToLoop =
  | {
      readonly kind: 'ready'
      readonly origin: string
      /** The URL of its reference. */
      readonly reference: string
      readonly operations: readonly OperationState[]
      /** A notice about the first key, to be printed; '' if there was a key already. */
      readonly notice: string
      readonly key?: string | undefined
    }
  /** `isFinal` if no save can fix it: the configuration, the store or the port. */
  | { readonly kind: 'failed'; readonly message: string; readonly isFinal?: boolean }
  | { readonly kind: 'request'; readonly request: LoggedRequest }

/**
 * Starts the service while its API is designed: operations without a handler respond with samples, and
 * responses that violate the description are sent and reported. Returns the function that stops it.
 */
export async function startDesignService(
  send: (message: MessageToLoop) => void,
): Promise<() => Promise<void>> {
  let store: Store | undefined
  let service: Service | undefined
  try {
    const config = readConfig({ RESPONSE_VALIDATION: 'log', ...process.env, OPS_PORT: 'off' })
    const log = createLog(config.logLevel)
    const { schema, plans, settings } = readServedApi()
    store = await openStore(config.databaseUrl, schema)
    service = await startService(config, store, log, {
      createMock,
      onRequest: (ended) => reportRequest(ended, send),
    })
    const { origin, unimplemented } = service
    // A store in memory has lost the key that it had before.
    const knownKey = process.env['DEV_API_KEY']
    const key = await createFirstKey(store, plans, knownKey)
    const notice = key === undefined || key === knownKey ? '' : gettingStarted(origin, key)
    const reference = `${origin}${pagePrefixOf(settings)}/docs`
    send({
      kind: 'ready',
      origin,
      reference,
      operations: listOperations(unimplemented),
      notice,
      key,
    })
  } catch (error) {
    const isFinal = error instanceof OperatorError && !(error instanceof ContractError)
    send({ kind: 'failed', message: explain(error), isFinal })
  }
  return async () => {
    await service?.stop()
    await store?.close()
  }
}

/** Reports a request to the API, unless the client closed the connection before the response. */
function reportRequest(
  { method, status, milliseconds, locals }: EndedRequest,
  send: (message: MessageToLoop) => void,
): void {
  const { requestId: id, rawQuery, violations, isApiRequest } = locals
  if (!isApiRequest || status === undefined) {
    return
  }
  const at = new Date(Date.now() - milliseconds).toISOString()
  const path = rawQuery === '' ? locals.path : `${locals.path}?${rawQuery}`
  const request = { at, id, method, path, status, milliseconds, violations }
  send({ kind: 'request', request })
}

function listOperations(unimplemented: ReadonlySet<string>): readonly OperationState[] {
  return Object.values(operations).map((operation: Operation) => {
    const state = unimplemented.has(operation.operationId) ? 'sampled' : 'implemented'
    return { ...operation, state }
  })
}
