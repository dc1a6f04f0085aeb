import { basePath, operations } from '../generated/operations.ts'
import { createHandlers, type HandlerOptions } from './animals/handlers.ts'
import type { ContractOptions } from './contract/description/contract-options.ts'
import type { Description } from './contract/description/description.ts'
import type { Validators } from './contract/plain/validators.ts'
import {
  readServedDescription,
  readServedValidators,
  readServedVersion,
} from './served-description.ts'

/** An API that the service can serve: its description, what was compiled from it, its handlers. */
export interface Api extends Pick<ContractOptions, 'description' | 'operations' | 'basePath'> {
  readonly version: string
  readonly readValidators: () => Promise<Validators>
  readonly createHandlers: (options: HandlerOptions) => ContractOptions['handlers']
}

/** Returns the API of this project; throws a `ContractFault` when it was not generated. */
export function readServedApi(): Api {
  const description: Description = readServedDescription()
  const version = readServedVersion()
  const readValidators = readServedValidators
  return { description, operations, basePath, version, readValidators, createHandlers }
}
