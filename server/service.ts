import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { basePath, operations } from '../generated/operations.ts'
import { createAdmission } from './access/admission.ts'
import { createKeyring, type Keyring } from './access/keyring.ts'
import { createUsageMeter, type UsageMeter, type UsesLeft } from './access/usage-meter.ts'
import { createHandlers } from './animals/handlers.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createBusyAnswer } from './contract/answer/busy-answer.ts'
import { limitHeaders } from './contract/answer/service-headers.ts'
import { createWriter } from './contract/answer/writer.ts'
import { type Contract, createContract } from './contract/contract.ts'
import type { ContractOptions } from './contract/description/contract-options.ts'
import type { Description } from './contract/description/description.ts'
import { addressOf } from './contract/request/address.ts'
import { createCrossOrigin } from './contract/request/cross-origin.ts'
import type { StandIn } from './contract/stand-in.ts'
import { type OpenLimits, openLimits, type RedisCounting } from './limits.ts'
import type { OnAnswer } from './ops/answered.ts'
import { type Front, openFront } from './ops/front.ts'
import { createHealthPages } from './ops/health.ts'
import { createPages } from './ops/pages.ts'
import { readServedDescription } from './served-description.ts'
import type { Store } from './store/store.ts'

/** What the samples of the reference are written with. */
const ourClient = { packageName: 'animal-store-client', factory: 'createAnimalStore' }

const fateOfUses: Readonly<Record<UsesLeft, string>> = {
  kept: 'it is written later',
  dropped: 'what was counted since the last time may be missing in the list of keys',
}

/** A service that listens. */
export interface Service {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /**
   * Stops it: finishes what is running, within the grace, and resolves when nothing is left. Requests
   * that follow each other within a lull, in milliseconds, are served until they stop coming.
   */
  readonly stop: (lull?: number) => Promise<void>
  readonly load: Front['load']
}

/** What the service does more while its API is designed. */
export interface DesignOptions {
  /** Makes what answers operations without a handler; without it such a service does not start. */
  readonly createStandIn?: (description: Description) => StandIn
  /** Told of every answer under the contract. */
  readonly onAnswer?: OnAnswer
}

export interface ServiceOptions extends DesignOptions {
  readonly redisCounting?: RedisCounting
  /** What waits are measured with, in milliseconds. */
  readonly now?: () => number
}

/** What stands behind the contract: who may call, and what answers. */
export interface Backing {
  readonly handlers: ContractOptions['handlers']
  readonly keyring: Keyring
  readonly usage: UsageMeter
  readonly limits: OpenLimits
  readonly store: Pick<Store, 'ping'>
}

/** Starts the service on a store; rejects when the contract cannot be run or the port is taken. */
export async function startService(
  config: Config,
  store: Store,
  log: Logger,
  options: ServiceOptions = {},
): Promise<Service> {
  const usage = createUsageMeter(store.usage, (err, left) =>
    log.warn({ err }, `the use of keys cannot be written now; ${fateOfUses[left]}`),
  )
  const handlers = createHandlers({ store, idempotencyHours: config.idempotencyHours })
  const limits = await openLimits(config, log, options.redisCounting)
  const backing = { handlers, keyring: createKeyring(store.keys), usage, limits, store }
  try {
    return await serve(config, backing, log, options)
  } catch (error) {
    await limits.close()
    throw error
  }
}

/** Starts the service on whatever stands behind it. */
export async function serve(
  config: Config,
  { handlers, keyring, usage, limits, store }: Backing,
  log: Logger,
  { createStandIn, onAnswer, now }: ServiceOptions = {},
): Promise<Service> {
  const { responseValidation, trustProxy } = config
  let hasToStop = false
  const isDraining = () => hasToStop
  const health = createHealthPages({ store, isDraining })
  const description = readServedDescription()
  const standIn = createStandIn?.(description)
  const contract = openContract(config, handlers, description, standIn)
  const crossOrigin = createCrossOrigin(config.corsOrigins, description, operations, standIn)
  const app = createApp({
    contract,
    admit: createAdmission({ keyring, usage, ...limits }),
    crossOrigin,
    pages: createPages({
      reference: { description, operations, basePath, client: ourClient },
      health,
    }),
    send: createWriter({ log, checks: contract.checkReply, responseValidation, isDraining }),
    log,
    trustProxy,
    ...(onAnswer === undefined ? {} : { onAnswer }),
  })
  const limitOf = (request: IncomingMessage) => limits.headersAt(addressOf(request, trustProxy))
  const refuse = createBusyAnswer({ contract, crossOrigin, limitOf, isDraining })
  const front = await openFront(app, { config, log, health, refuse, now })
  return {
    origin: front.origin,
    load: front.load,
    async stop(lull = 0) {
      hasToStop = true
      await front.close(lull)
      await usage.stop()
      await limits.close()
    },
  }
}

function openContract(
  config: Config,
  handlers: Backing['handlers'],
  description: Description,
  standIn: StandIn | undefined,
): Contract {
  return createContract({
    description,
    isLinted: true,
    operations,
    basePath,
    handlers,
    ...(standIn === undefined ? {} : { standIn }),
    authenticates: { apiKey: { type: 'http', scheme: 'bearer' } },
    waivedHeaders: config.rateLimits ? [] : limitHeaders,
  })
}
