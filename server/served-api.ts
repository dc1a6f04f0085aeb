import { basePath, operations, settings } from '../generated/operations.ts'
import { errorFormat } from './api/error-format.ts'
import { createHandlers } from './api/handlers.ts'
import { plans } from './api/plans.ts'
import { schema } from './api/schema.ts'
import { createAuthenticators } from './api/security.ts'
import type { ErrorFormat } from './contract/error-format.ts'
import type { AnyHandler } from './contract/handler.ts'
import type { Operation } from './contract/operation.ts'
import { readDocument } from './contract/read-document.ts'
import type { Webhooks } from './contract/webhooks.ts'
import { type JsonObject, toObject } from './description/json.ts'
import type { Settings } from './description/settings.ts'
import type { ReadinessCheck } from './ops/health.ts'
import type { Authenticator, Caller, CredentialSource } from './security/authenticator.ts'
import type {
  AnyAuthenticators,
  AuthenticatorOptions,
  Authenticators,
  BuiltInAuthenticators,
} from './security/authenticators.ts'
import type { Plans } from './security/plans.ts'
import type { Schema } from './store/schema.ts'
import type { Store } from './store/store.ts'

// What the API half of a project is written with.
export type {
  Authenticator,
  AuthenticatorOptions,
  Authenticators,
  Caller,
  CredentialSource,
  ErrorFormat,
  Plans,
}
export { plans }

export interface HandlerOptions {
  readonly store: Store
  /** For how many hours a repeated create is recognised. */
  readonly idempotencyHours: number
  /** Closes what was opened for handlers, such as connections to a database of their own, when the service has stopped. */
  readonly closeOnStop: (close: () => unknown) => void
  /** Checks what the API sends to its consumers: webhooks and callbacks. */
  readonly webhooks: Webhooks
  /** Adds a check to `/readyz`, which is 503 while the check rejects, or takes more than two seconds. */
  readonly addReadinessCheck: (check: ReadinessCheck) => void
}

/** The handler of each operation. */
type HandlerTable = Readonly<Record<string, AnyHandler>>

/** An API that the service can serve: its description, the table made from it, its handlers. */
export interface Api {
  /** The OpenAPI document, bundled. */
  readonly description: JsonObject
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  /** What `spec/service.yaml` says. */
  readonly settings: Settings
  readonly version: string
  readonly title: string
  /** The file with its code samples; it need not exist. */
  readonly codeSamples: URL
  /** The format of its errors. */
  readonly errorFormat: ErrorFormat
  /** Its tables. */
  readonly schema: Schema
  /** The plans that its API keys are issued with. */
  readonly plans: Plans
  readonly createHandlers: (options: HandlerOptions) => HandlerTable | Promise<HandlerTable>
  /** Creates what checks the credentials of each of its security schemes. */
  readonly createAuthenticators: (options: BuiltInAuthenticators) => AnyAuthenticators
}

let served: Api | undefined

/** Returns the API of this project; throws a `ContractError` if it was not generated. */
export function readServedApi(): Api {
  if (served !== undefined) {
    return served
  }
  const description = readDocument(new URL('../generated/openapi.json', import.meta.url))
  const info = toObject(description['info'])
  served = {
    description,
    operations,
    basePath,
    errorFormat,
    settings,
    schema,
    plans,
    createHandlers,
    createAuthenticators,
    version: readVersion(description, settings),
    title: String(info['title']),
    codeSamples: new URL('../generated/reference/code-samples.json', import.meta.url),
  }
  return served
}

/** Returns the version of releases: `info.version`, unless the settings have one of three numbers beside it. */
export function readVersion(description: JsonObject, { version }: Settings): string {
  return version ?? String(toObject(description['info'])['version'])
}
