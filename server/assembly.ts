import type { IncomingMessage, RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { createAdmission } from './access/admission.ts'
import type { Keyring } from './access/keyring.ts'
import type { UsageMeter } from './access/usage-meter.ts'
import type { Api } from './api.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createBusyAnswer } from './contract/answer/busy-answer.ts'
import { limitHeaders } from './contract/answer/service-headers.ts'
import { createWriter } from './contract/answer/writer.ts'
import { createContract } from './contract/contract.ts'
import type { ContractOptions } from './contract/description/contract-options.ts'
import type { Description } from './contract/description/description.ts'
import type { Pages } from './contract/pages.ts'
import { addressOf } from './contract/request/address.ts'
import { createCrossOrigin } from './contract/request/cross-origin.ts'
import type { StandIn } from './contract/stand-in.ts'
import type { OpenLimits } from './limits.ts'
import { type OnAnswer, tellAnswers } from './ops/answered.ts'
import type { Observation } from './ops/observation.ts'
import { createPages } from './ops/pages.ts'
import type { Tracing } from './ops/tracing/tracing.ts'
import type { Store } from './store/store.ts'

/** What the samples of the reference are written with. */
const ourClient = { packageName: 'animal-store-client', factory: 'createAnimalStore' }

/** What the service does more while its API is designed. */
export interface DesignOptions {
  /** Makes what answers operations without a handler; without it such a service does not start. */
  readonly createStandIn?: (description: Description) => StandIn
  /** Told of every answer under the contract. */
  readonly onAnswer?: OnAnswer
}

/** What stands behind the contract: who may call, and what answers. */
export interface Backing {
  readonly handlers: ContractOptions['handlers']
  readonly keyring: Keyring
  readonly usage: UsageMeter
  readonly limits: OpenLimits
  readonly store: Pick<Store, 'ping' | 'connections'>
  readonly tracing?: Tracing | undefined
}

/** What an application needs of the process that it is served in. */
export interface Parts extends DesignOptions {
  readonly api: Api
  readonly health: Pages
  readonly isDraining: () => boolean
  readonly observation: Observation
}

/** What requests are handed to. */
export interface Assembly {
  readonly app: RequestListener
  /** Answers a request that there is no time for. */
  readonly refuse: RequestListener
}

/** Puts the application together from the contract and what stands behind it. */
export async function assemble(
  config: Config,
  { handlers, keyring, usage, limits, tracing }: Backing,
  log: Logger,
  { api, createStandIn, onAnswer, health, isDraining, observation }: Parts,
): Promise<Assembly> {
  const { watchers, onRefused } = observation
  const { description, operations, basePath } = api
  const standIn = createStandIn?.(description)
  const contract = await createContract({
    description,
    isLinted: true,
    operations,
    basePath,
    handlers,
    // While an API is designed, what was compiled comes after the description that is served.
    ...(standIn === undefined ? { validators: await api.readValidators() } : { standIn }),
    authenticates: { apiKey: { type: 'http', scheme: 'bearer' } },
    waivedHeaders: config.rateLimits ? [] : limitHeaders,
  })
  const crossOrigin = createCrossOrigin(config.corsOrigins, description, operations, standIn)
  const app = createApp({
    contract,
    admit: createAdmission({ keyring, usage, onRefused, ...limits }),
    crossOrigin,
    pages: createPages({
      reference: { description, operations, basePath, client: ourClient },
      health,
    }),
    send: createWriter({
      log,
      checks: contract.checkReply,
      responseValidation: config.responseValidation,
      isDraining,
    }),
    log,
    trustProxy: config.trustProxy,
    watchers: onAnswer === undefined ? watchers : [...watchers, tellAnswers(onAnswer)],
    ...(tracing === undefined ? {} : { trace: tracing.step }),
  })
  const limitOf = (request: IncomingMessage) =>
    limits.headersAt(addressOf(request, config.trustProxy))
  return { app, refuse: createBusyAnswer({ contract, crossOrigin, limitOf, isDraining }) }
}
