import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { basePath, descriptionDigest, operations } from '../generated/operations.ts'
import { createAddressLimit } from './access/address-limit.ts'
import { createAdmission } from './access/admission.ts'
import { createMemoryCounter } from './access/counters.ts'
import { createKeyLimits } from './access/key-limits.ts'
import { createKeyring } from './access/keyring.ts'
import { createUsageMeter } from './access/usage-meter.ts'
import { createHandlers } from './animals/handlers.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { limitHeaders } from './contract/answer/service-headers.ts'
import { createWriter } from './contract/answer/writer.ts'
import { createContract } from './contract/contract.ts'
import { type Description, readDescription } from './contract/description/description.ts'
import { createCrossOrigin } from './contract/request/cross-origin.ts'
import { answerFramingFaults } from './contract/request/framing.ts'
import { createPages } from './ops/pages.ts'
import { countRequests, drain } from './ops/shutdown.ts'
import { PlainError } from './plain-error.ts'
import type { Store } from './store/store.ts'

const descriptionFile = new URL('../generated/openapi.json', import.meta.url)
let description: Description | undefined

/** What the samples of the reference are written with. */
const ourClient = { packageName: 'animal-store-client', factory: 'createAnimalStore' }

/** A service that listens. */
export interface Service {
  /** Where it listens, such as `http://127.0.0.1:3000`. */
  readonly origin: string
  /** Stops it: finishes what is running, within the grace, and resolves when nothing is left. */
  readonly stop: () => Promise<void>
}

/** Starts the service on a store; rejects when the contract cannot be run or the port is taken. */
export async function startService(config: Config, store: Store, log: Logger): Promise<Service> {
  let isDraining = false
  description ??= readDescription(descriptionFile, descriptionDigest)
  const contract = createContract({
    description,
    isLinted: true,
    operations,
    basePath,
    handlers: createHandlers({ store, idempotencyHours: config.idempotencyHours }),
    authenticates: { apiKey: { type: 'http', scheme: 'bearer' } },
    waivedHeaders: config.rateLimits ? [] : limitHeaders,
  })
  const usage = createUsageMeter(store.usage, (err) =>
    log.warn({ err }, 'the use of keys cannot be written now; it is written later'),
  )
  const app = createApp({
    contract,
    admit: createAdmission({ keyring: createKeyring(store.keys), usage, ...limitsOf(config) }),
    crossOrigin: createCrossOrigin(config.corsOrigins, description, operations),
    pages: createPages({
      reference: { description, operations, basePath, client: ourClient },
      store,
      isDraining: () => isDraining,
    }),
    send: createWriter({
      log,
      checks: contract.checkReply,
      responseValidation: config.responseValidation,
      isDraining: () => isDraining,
    }),
    log,
    trustProxy: config.trustProxy,
  })
  const server = createServer({ requireHostHeader: false, connectionsCheckingInterval: 1_000 }, app)
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.on('checkContinue', app).on('checkExpectation', app)
  answerFramingFaults(server)
  const runningRequests = countRequests(server)
  return {
    origin: await listen(server, config),
    async stop() {
      isDraining = true
      await drain(server, runningRequests, config.shutdownGraceSeconds)
      await usage.stop()
    },
  }
}

function limitsOf({ rateLimits, banAfter, banSeconds, anonymousPerMinute }: Config) {
  if (!rateLimits) return {}
  const ban = { after: banAfter, seconds: banSeconds }
  return {
    limits: {
      ofKey: createKeyLimits(createMemoryCounter, ban),
      ofAddress: createAddressLimit(createMemoryCounter, anonymousPerMinute),
    },
  }
}

function listen(server: Server, { host, port }: Config): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const advice =
        cause.code === 'EADDRINUSE'
          ? 'Set PORT to another port, or to 0 for a free one.'
          : 'Set HOST and PORT to where the service can listen.'
      reject(new PlainError(`Cannot listen: ${cause.message}. ${advice}`, { cause }))
    })
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve(toOrigin(server.address()))
    })
  })
}

function toOrigin(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('Not a TCP server.')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
