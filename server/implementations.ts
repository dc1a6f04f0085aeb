import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Contract } from './contract/contract.ts'
import { type AnyHandler, type CallableHandler, sampled } from './contract/handler.ts'
import type { Operation } from './contract/operation.ts'
import { describeService } from './contract/served-description.ts'
import { readBundled } from './description/description-reader.ts'
import type { JsonObject } from './description/json.ts'
import { OperatorError } from './process/operator-error.ts'
import type { Api } from './served-api.ts'

type Handlers = Readonly<Record<string, CallableHandler>>

/** Creates the handlers of operations that have none. */
export type CreateMock = (contract: Contract) => Handlers

/** What responds to each operation of an API. */
export interface Implementations {
  /** The handlers of the API, and those of a mock. */
  readonly handlers: Handlers
  /** The operations that are forwarded to the upstream, by operationId. */
  readonly forwarded: ReadonlySet<string>
  /** The operations without a handler of the API, by operationId. */
  readonly unimplemented: ReadonlySet<string>
  readonly isMocked: boolean
  /** The document that describes the service: that of the API, with what a mock or an upstream changes. */
  readonly served: JsonObject
  readonly contract: Contract
}

/** Decides what responds to each operation: a handler of the API, the upstream or a mock. */
export async function chooseImplementations(
  api: Api,
  written: Readonly<Record<string, AnyHandler>>,
  config: Config,
  log: Logger,
  givenMock: CreateMock | undefined,
): Promise<Implementations> {
  const { operations, basePath, settings } = api
  const ownHandlers = withoutSampled(written)
  const forwarded = forwardedIds(written, operations, config)
  const createMock = givenMock ?? (await mockOf(written, config, log))

  const unimplemented = Object.values(operations).filter(
    ({ operationId }) => !Object.hasOwn(ownHandlers, operationId),
  )
  const mocked = unimplemented.filter(
    ({ operationId, unserved }) => unserved === undefined && !forwarded.has(operationId),
  )

  const served = describeService(api.description, {
    rateLimits: config.rateLimits,
    mocked,
    isForwarding: forwarded.size > 0,
  })
  const contract = { description: readBundled(served), operations, basePath, settings }
  return {
    handlers: { ...createMock?.(contract), ...ownHandlers },
    forwarded,
    unimplemented: new Set(unimplemented.map(({ operationId }) => operationId)),
    isMocked: createMock !== undefined,
    served,
    contract,
  }
}

/** Returns the operations without a handler; the mock or the upstream responds to them. */
function sampledIds(handlers: Readonly<Record<string, AnyHandler>>): readonly string[] {
  return Object.keys(handlers).filter((id) => handlers[id] === sampled)
}

function withoutSampled(handlers: Readonly<Record<string, AnyHandler>>): Handlers {
  const written = Object.entries(handlers).filter(([, handler]) => handler !== sampled)
  // Each takes the input of its operation, which is validated before it is called.
  return Object.fromEntries(written as [string, CallableHandler][])
}

/**
 * Returns the operations that the upstream implements, if there is one: those without a handler, also where
 * the platform does not serve them. TRACE shows fields that proxies have added, so it is never forwarded.
 */
function forwardedIds(
  handlers: Readonly<Record<string, AnyHandler>>,
  operations: Readonly<Record<string, Operation>>,
  { upstream }: Config,
): ReadonlySet<string> {
  if (upstream.url === '') {
    return new Set()
  }
  const unserved = Object.values(operations).filter((operation) => {
    return operation.unserved !== undefined && operation.method !== 'trace'
  })
  return new Set([...sampledIds(handlers), ...unserved.map(({ operationId }) => operationId)])
}

/**
 * Returns the function that creates a mock, if operations have no handler yet; throws an `OperatorError`
 * if samples are off.
 */
async function mockOf(
  handlers: Readonly<Record<string, AnyHandler>>,
  { samples, upstream }: Config,
  log: Logger,
): Promise<CreateMock | undefined> {
  const ids = sampledIds(handlers)
  if (ids.length === 0 || upstream.url !== '') {
    return undefined
  }
  if (!samples) {
    const advice =
      'Write their handlers, or set SAMPLES=on to respond with samples, or UPSTREAM_URL to forward to a service that has them.'
    throw new OperatorError(`Operations without a handler: ${ids.join(', ')}. ${advice}`)
  }
  log.warn({ operations: ids }, 'operations without a handler: sending samples')
  return (await import('./mock/mock.ts')).createMock
}
