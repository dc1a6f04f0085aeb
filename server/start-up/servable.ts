import type { Config } from '../config.ts'
import type { Contract } from '../contract/contract.ts'
import { ContractError } from '../contract/contract-error.ts'
import type { Description } from '../description/description.ts'
import { OperatorError } from '../process/operator-error.ts'
import type { AnyAuthenticators } from '../security/authenticators.ts'
import { UpstreamAuthenticator } from '../security/upstream-authenticator.ts'

/** Throws a `ContractError` if the description has something that the service does not do. */
export function assertServable(
  { description, operations }: Pick<Contract, 'description' | 'operations'>,
  handlers: Readonly<Record<string, unknown>>,
): void {
  const { version, securitySchemes } = description
  if (!/^3\.[012]\./.test(version)) {
    const supported = 'the service runs 3.0, 3.1 and 3.2'
    throw new ContractError(`The description is OpenAPI ${version}; ${supported}.`)
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

/**
 * Throws an `OperatorError` if nothing would check credentials that are passed to the upstream: those of an
 * operation with a handler, or all of them if the upstream does not get credentials.
 */
export function assertPassedToUpstream(
  operations: Contract['operations'],
  authenticators: AnyAuthenticators,
  unimplemented: ReadonlySet<string>,
  { credentials }: Pick<Config['upstream'], 'credentials'>,
): void {
  const schemes = Object.keys(authenticators).filter((name) => {
    return authenticators[name] instanceof UpstreamAuthenticator
  })
  if (schemes.length === 0) {
    return
  }

  const names = schemes.join(', ')
  if (credentials === 'remove') {
    throw new OperatorError(
      `UPSTREAM_CREDENTIALS=remove keeps the credentials of ${names} from the upstream, which is to check them (passToUpstream in server/api/security.ts). Remove the variable, or give these security schemes another authenticator.`,
    )
  }

  const unchecked = Object.values(operations).filter(({ operationId, security }) => {
    const required = new Set(security.flatMap((requirement) => Object.keys(requirement)))
    return !unimplemented.has(operationId) && schemes.some((name) => required.has(name))
  })
  if (unchecked.length > 0) {
    const ids = unchecked.map(({ operationId }) => operationId).join(', ')
    throw new OperatorError(
      `Operations with a handler whose credentials nothing checks: ${ids}. The upstream checks those of ${names} (passToUpstream in server/api/security.ts), and does not get these requests. Give these security schemes another authenticator, or let the upstream implement the operations.`,
    )
  }
}
