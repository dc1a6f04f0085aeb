import type { Contract } from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import type { CallableHandler } from '../contract/handler.ts'
import type { Description } from '../description/description.ts'
import type { AnyAuthenticators } from '../security/authenticators.ts'

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
  for (const { operationId, security, unserved } of Object.values(operations)) {
    // An operation may be called `constructor`.
    const hasHandler = Object.hasOwn(handlers, operationId)
    if (unserved === undefined && !hasHandler) {
      const advice = 'Write one, or put `sampled` in its place.'
      throw new ContractError(`Operation ${operationId} has no handler. ${advice}`)
    }

    const names = security.flatMap((requirement) => Object.keys(requirement))
    const unknown = names.find((name) => !securitySchemes.has(name))
    if (unknown !== undefined) {
      const problem = `requires ${unknown}, which is no security scheme of the description`
      throw new ContractError(`Operation ${operationId} ${problem}.`)
    }
  }
}

/** Throws a `ContractError` if a security scheme has no authenticator. */
export function assertAuthenticated(
  { securitySchemes }: Pick<Description, 'securitySchemes'>,
  authenticators: AnyAuthenticators,
): void {
  for (const name of securitySchemes.keys()) {
    if (Object.hasOwn(authenticators, name)) {
      continue
    }
    const advice = 'Add one in server/api/security.ts.'
    throw new ContractError(`The security scheme ${name} has no authenticator. ${advice}`)
  }
}
