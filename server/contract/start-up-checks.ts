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
  const root = rootOf(description)
  const version = String(description['openapi'])
  if (!version.startsWith('3.1.')) {
    throw new ContractError(`The description is OpenAPI ${version}; the service runs 3.1.`)
  }
  assertFresh(description, operations)
  for (const { operationId, security } of Object.values(operations)) {
    // An operation may be called `constructor`.
    if (!code.isMocked && !Object.hasOwn(code.handlers, operationId)) {
      const advice = 'Write one; until then, npm run dev answers it with a sample.'
      throw new ContractError(`Operation ${operationId} has no handler. ${advice}`)
    }
    const [scope] = security.flatMap((requirement) => Object.values(requirement).flat())
    if (scope === undefined) continue
    throw new ContractError(`${operationId} asks for the scope ${scope}, which nothing checks.`)
  }
  const schemes = locate(description, root, 'components', 'securitySchemes')
  for (const name of Object.keys(schemes?.node ?? {})) {
    const described = schemes && locate(description, schemes, name)?.node
    const checked = code.authenticates[name]
    const isChecked = (['type', 'scheme', 'in', 'name'] as const).every(
      (member) => lowerCase(described?.[member]) === lowerCase(checked?.[member]),
    )
    if (isChecked) continue
    const advice = 'Check it in the application, or remove it from the description.'
    throw new ContractError(`Nothing checks the security scheme ${name} as described. ${advice}`)
  }
}

function lowerCase(value: unknown): string {
  return String(value).toLowerCase()
}

// `generate` writes the table and the description together, unless one was edited.
function assertFresh(description: Description, operations: Served['operations']): void {
  const advice = 'Run: npm run generate'
  const paths = Object.values(locate(description, rootOf(description), 'paths')?.node ?? {})
  const described = paths.flatMap((item) =>
    Object.values(Object(item)).flatMap((each) => (isObject(each) ? [each['operationId']] : [])),
  )
  for (const operationId of Object.keys(operations)) {
    if (described.includes(operationId)) continue
    throw new ContractError(`The description lacks operation ${operationId}. ${advice}`)
  }
  for (const operationId of described) {
    if (typeof operationId !== 'string' || Object.hasOwn(operations, operationId)) continue
    throw new ContractError(`Operation ${operationId} is missing from the table. ${advice}`)
  }
}
