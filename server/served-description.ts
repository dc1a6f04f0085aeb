import { type Description, isObject, readDescription } from './contract/description.ts'

const descriptionFile = new URL('../generated/openapi.json', import.meta.url)
let read: Description | undefined

/** Returns the description that is served; throws a `ContractError` if it was not generated. */
export function readServedDescription(): Description {
  read ??= readDescription(descriptionFile)
  return read
}

/** Returns the version of the contract that is served. */
export function readServedVersion(): string {
  const { info } = readServedDescription()
  return isObject(info) ? `${info['version']}` : ''
}
