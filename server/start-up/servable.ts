import { ContractError, type Description, follow, lookUp } from '../contract/description.ts'
import type { CallableHandler } from '../contract/handler.ts'
import type { Operation } from '../contract/operation.ts'

/** Throws a `ContractError` if the description has something that the service does not do. */
export function assertServable(
  description: Description,
  operations: Readonly<Record<string, Operation>>,
  handlers: Readonly<Record<string, CallableHandler>>,
): void {
  const version = String(description['openapi'])
  if (!version.startsWith('3.1.')) {
    throw new ContractError(`The description is OpenAPI ${version}; the service runs 3.1.`)
  }
  for (const { operationId, security } of Object.values(operations)) {
    // An operation may be called `constructor`.
    if (!Object.hasOwn(handlers, operationId)) {
      const advice = 'Write one, or put `sampled` in its place.'
      throw new ContractError(`Operation ${operationId} has no handler. ${advice}`)
    }
    const [scope] = security.flatMap((requirement) => Object.values(requirement).flat())
    if (scope === undefined) continue
    throw new ContractError(`${operationId} asks for the scope ${scope}, which nothing checks.`)
  }
  const schemes = lookUp(description, '#/components/securitySchemes') ?? {}
  for (const [name, declared] of Object.entries(schemes)) {
    const { type, scheme } = follow(description, declared) ?? {}
    if (`${type} ${scheme}`.toLowerCase() === 'http bearer') continue
    const advice = 'The service reads API keys as bearer tokens: type http, scheme bearer.'
    throw new ContractError(`Nothing checks the security scheme ${name} as described. ${advice}`)
  }
}
