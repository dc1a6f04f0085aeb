import { ContractFault } from './contract-fault.ts'
import type { ContractOptions, SecurityScheme } from './contract-options.ts'
import { type Description, isObject, locate, rootOf } from './description.ts'
import { securitySchemeNames } from './security-schemes.ts'

/** Rejects with a `ContractFault` when a description is invalid or the code does not fit it. */
export async function refuseFaulty(options: ContractOptions): Promise<void> {
  await refuseInvalid(options)
  refuseStale(options)
  const { description, operations, handlers, standIn, authenticates } = options
  for (const operationId of Object.keys(operations)) {
    // An operation may be called `constructor`.
    const isHandled = Object.hasOwn(handlers, operationId) && handlers[operationId] !== undefined
    if (standIn !== undefined || isHandled) continue
    const advice = 'Write one; until then, npm run dev answers it with a sample.'
    throw new ContractFault(`Operation ${operationId} has no handler. ${advice}`)
  }
  for (const name of securitySchemeNames(description)) {
    if (isChecked(description, name, authenticates[name])) continue
    const advice = 'Check it in the application, or remove it from the description.'
    throw new ContractFault(`Nothing checks the security scheme ${name} as described. ${advice}`)
  }
  for (const { operationId, security } of Object.values(operations)) {
    const [scope] = security.flatMap((requirement) => Object.values(requirement).flat())
    if (scope === undefined) continue
    throw new ContractFault(`${operationId} asks for the scope ${scope}, which nothing checks.`)
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

async function refuseInvalid({ description, isLinted }: ContractOptions): Promise<void> {
  const version = String(description['openapi'])
  if (!version.startsWith('3.1.')) {
    throw new ContractFault(`The description is OpenAPI ${version}; the service runs 3.1.`)
  }
  if (isLinted) return
  // The description of a release is linted: its start does not wait until these are loaded.
  const { descriptionFaults } = await import('../validator/openapi-validator.ts')
  const { schemaFaults } = await import('./schema-faults.ts')
  const [fault] = [...descriptionFaults(description), ...schemaFaults(description)]
  if (fault !== undefined) {
    const advice = 'Correct the spec and run: npm run generate'
    throw new ContractFault(`The description is not valid OpenAPI: ${fault}. ${advice}`)
  }
}

// The table and the description come out of one run of `generate`, unless somebody edited one.
function refuseStale({ description, operations }: ContractOptions): void {
  const advice = 'Run: npm run generate'
  for (const { operationId, path, method } of Object.values(operations)) {
    const described = locate(description, rootOf(description), 'paths', path, method)
    if (described?.node['operationId'] === operationId) continue
    throw new ContractFault(`The description lacks operation ${operationId}. ${advice}`)
  }
  const paths = locate(description, rootOf(description), 'paths')?.node ?? {}
  const described = Object.keys(paths).flatMap((path) =>
    Object.values(locate(description, rootOf(description), 'paths', path)?.node ?? {}),
  )
  for (const operation of described) {
    const operationId = isObject(operation) ? operation['operationId'] : undefined
    if (typeof operationId !== 'string' || Object.hasOwn(operations, operationId)) continue
    throw new ContractFault(`Operation ${operationId} is missing from the table. ${advice}`)
  }
}
