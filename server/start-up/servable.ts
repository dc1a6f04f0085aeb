import type { Contract } from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import type { CallableHandler } from '../contract/handler.ts'

/** Throws a `ContractError` if the description has something that the service does not do. */
export function assertServable(
  { description, operations }: Pick<Contract, 'description' | 'operations'>,
  handlers: Readonly<Record<string, CallableHandler>>,
): void {
  const { version, securitySchemes } = description
  if (!/^3\.[012]\./.test(version)) {
    const known = 'the service runs 3.0, 3.1 and 3.2'
    throw new ContractError(`The description is OpenAPI ${version}; ${known}.`)
  }
  for (const { operationId, security } of Object.values(operations)) {
    // An operation may be called `constructor`.
    if (!Object.hasOwn(handlers, operationId)) {
      const advice = 'Write one, or put `sampled` in its place.'
      throw new ContractError(`Operation ${operationId} has no handler. ${advice}`)
    }
    const [scope] = security.flatMap((requirement) => Object.values(requirement).flat())
    if (scope === undefined) {
      continue
    }
    throw new ContractError(`${operationId} asks for the scope ${scope}, which nothing checks.`)
  }
  for (const [name, { form }] of securitySchemes) {
    if (form['type'] === 'http' && form['scheme'] === 'bearer') {
      continue
    }

    const advice = 'The service reads API keys as bearer tokens: type http, scheme bearer.'
    throw new ContractError(`Nothing checks the security scheme ${name} as described. ${advice}`)
  }
}
