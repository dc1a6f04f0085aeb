import { ContractError, type Description, isObject, locate, rootOf } from './description.ts'
import type { AnyHandler } from './handler.ts'
import type { Operation } from './operation.ts'

/** The members of a security scheme that define how its credentials are sent. */
export interface SecurityScheme {
  readonly type: string
  readonly scheme?: string
  readonly in?: string
  readonly name?: string
}

export interface Served {
  readonly description: Description
  readonly operations: Readonly<Record<string, Operation>>
  readonly handlers: Readonly<Record<string, AnyHandler>>
  /** Whether operations without a handler get sample responses. */
  readonly isMocked: boolean
  /** The security schemes that the service checks, by name. */
  readonly authenticates: Readonly<Record<string, SecurityScheme>>
}

/** Throws a `ContractError` if the description, the operations table and the code do not fit together. */
export function assertServable({ description, operations, ...code }: Served): void {
  const version = String(description['openapi'])
  if (!version.startsWith('3.1.')) {
    throw new ContractError(`The description is OpenAPI ${version}; the service runs 3.1.`)
  }
  assertFresh(description, operations)
  for (const operationId of Object.keys(operations)) {
    // An operation may be called `constructor`.
    if (code.isMocked || Object.hasOwn(code.handlers, operationId)) continue
    const advice = 'Write one; until then, npm run dev answers it with a sample.'
    throw new ContractError(`Operation ${operationId} has no handler. ${advice}`)
  }
  const schemes = locate(description, rootOf(description), 'components', 'securitySchemes')
  for (const name of Object.keys(schemes?.node ?? {})) {
    if (isChecked(description, name, code.authenticates[name])) continue
    const advice = 'Check it in the application, or remove it from the description.'
    throw new ContractError(`Nothing checks the security scheme ${name} as described. ${advice}`)
  }
  for (const { operationId, security } of Object.values(operations)) {
    const [scope] = security.flatMap((requirement) => Object.values(requirement).flat())
    if (scope === undefined) continue
    throw new ContractError(`${operationId} asks for the scope ${scope}, which nothing checks.`)
  }
}

function isChecked(description: Description, name: string, checked?: SecurityScheme): boolean {
  const root = rootOf(description)
  const described = locate(description, root, 'components', 'securitySchemes', name)?.node ?? {}
  const members = ['type', 'scheme', 'in', 'name'] as const
  return members.every(
    (member) => String(described[member]).toLowerCase() === String(checked?.[member]).toLowerCase(),
  )
}

// `generate` writes the table and the description together, unless one was edited.
function assertFresh(
  description: Description,
  operations: Readonly<Record<string, Operation>>,
): void {
  const advice = 'Run: npm run generate'
  const root = rootOf(description)
  for (const { operationId, path, method } of Object.values(operations)) {
    const described = locate(description, root, 'paths', path, method)
    if (described?.node['operationId'] === operationId) continue
    throw new ContractError(`The description lacks operation ${operationId}. ${advice}`)
  }
  for (const path of Object.keys(locate(description, root, 'paths')?.node ?? {})) {
    for (const operation of Object.values(locate(description, root, 'paths', path)?.node ?? {})) {
      const operationId = isObject(operation) ? operation['operationId'] : undefined
      if (typeof operationId !== 'string' || Object.hasOwn(operations, operationId)) continue
      throw new ContractError(`Operation ${operationId} is missing from the table. ${advice}`)
    }
  }
}
