import { type Description, isObject, readDescription } from './contract/description/description.ts'

const descriptionFile = new URL('../generated/openapi.json', import.meta.url)
let read: Description | undefined

/** The description that is served, as it was generated; throws a `ContractFault` when it was not. */
export function readServedDescription(): Description {
  read ??= readDescription(descriptionFile)
  return read
}

/** The version of the contract that is served. */
export function readServedVersion(): string {
  const { info } = readServedDescription()
  return isObject(info) ? `${info['version']}` : ''
}
