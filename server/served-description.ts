import { ContractFault } from './contract/description/contract-fault.ts'
import { type Description, isObject, readDescription } from './contract/description/description.ts'
import type { Validators } from './contract/plain/validators.ts'
import { reasonOf } from './reason.ts'

const descriptionFile = new URL('../generated/openapi.json', import.meta.url)
let read: ReturnType<typeof readDescription> | undefined

/** The description that is served, as it was generated; throws a `ContractFault` when it was not. */
export function readServedDescription(): Description {
  read ??= readDescription(descriptionFile)
  return read.description
}

/** The version of the contract that is served. */
export function readServedVersion(): string {
  const { info } = readServedDescription()
  return isObject(info) ? `${info['version']}` : ''
}

/** What was compiled from that description; rejects with a `ContractFault` when it was another. */
export async function readServedValidators(): Promise<Validators> {
  readServedDescription()
  const validators = await importValidators()
  if (validators.digest === read?.digest) return validators
  const message = 'generated/validators.js comes from another description than the rest.'
  throw new ContractFault(`${message} Run: npm run generate`)
}

async function importValidators(): Promise<Validators> {
  try {
    return await import('../generated/validators.js')
  } catch (cause) {
    const message = `generated/validators.js cannot be loaded: ${reasonOf(cause)}.`
    throw new ContractFault(`${message} Run: npm run generate`, { cause })
  }
}
