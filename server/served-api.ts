import { basePath, operations, settings } from '../generated/operations.ts'
import { createHandlers } from './api/handlers.ts'
import { plans } from './api/plans.ts'
import { schema } from './api/schema.ts'
import { createAuthenticators } from './api/security.ts'
import type { AnyHandler } from './contract/handler.ts'
import type { Operation } from './contract/operation.ts'
import { readDocument } from './contract/read-document.ts'
import { type JsonObject, toObject } from './description/json.ts'
import type { Settings } from './description/settings.ts'
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
export type { Authenticator, AuthenticatorOptions, Authenticators, Caller, CredentialSource, Plans }
export { plans }

export interface HandlerOptions {
  readonly store: Store
  /** For how many hours a repeated create is recognised. */
  readonly idempotencyHours: number
}

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
  /** The HTML file of its reference; it need not exist. */
  readonly referencePage: URL
  /** Its tables. */
  readonly schema: Schema
  /** The plans that its API keys are issued with. */
  readonly plans: Plans
  readonly createHandlers: (options: HandlerOptions) => Readonly<Record<string, AnyHandler>>
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
    settings,
    schema,
    plans,
    createHandlers,
    createAuthenticators,
    version: readVersion(description, settings),
    title: String(info['title']),
    referencePage: new URL('../generated/reference.html', import.meta.url),
  }
  return served
}

/** Returns the version of releases: `info.version`, unless the settings have one of three numbers beside it. */
export function readVersion(description: JsonObject, { version }: Settings): string {
  return version ?? String(toObject(description['info'])['version'])
}
