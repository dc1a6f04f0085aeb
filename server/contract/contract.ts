import { isWithoutContent } from '../description/content-reader.ts'
import type {
  Operation as DescribedOperation,
  Description,
  Response,
} from '../description/description.ts'
import type { Settings } from '../description/settings.ts'
import type { Operation } from './operation.ts'

/** What a service promises: a description, the table that is generated from it, its base path and settings. */
export interface Contract {
  readonly description: Description
  readonly operations: Readonly<Record<string, Operation>>
  readonly basePath: string
  /** What `spec/service.yaml` says. */
  readonly settings: Settings
}

/** Returns what a description says of an operation of the table. */
export function describedOperation(
  { operations }: Description,
  { method, path }: Operation,
): DescribedOperation {
  const name = `${method.toUpperCase()} ${path}`
  const described = operations.find((operation) => operation.name === name)
  if (described !== undefined) {
    return described
  }
  throw new Error(`${name} is in the table of operations, and not in the description.`)
}

/** Returns the responses of an operation; without one, those to requests that match no operation. */
export function responsesOf(
  description: Description,
  operation: Operation | undefined,
): readonly Response[] {
  if (operation === undefined) {
    return description.undeclared
  }
  return describedOperation(description, operation).responses
}

/** Returns the response that is declared for a status code, which has no content if the code rules it out. */
export function findResponse(responses: readonly Response[], status: number): Response | undefined {
  const exact = String(status)
  const declared = findByStatus(responses, exact, (response) => response.status)
  return declared !== undefined && isWithoutContent(exact) ? { ...declared, content: [] } : declared
}

/**
 * Returns that of some responses which is declared for a status code: its own, or else that of its range, such as
 * `4XX`, or else the default. `keyOf` returns the key of a response in the description.
 */
export function findByStatus<Declared>(
  responses: readonly Declared[],
  status: string,
  keyOf: (response: Declared) => string,
): Declared | undefined {
  const keys = [status, `${status.charAt(0)}XX`, 'default']
  return keys
    .map((key) => responses.find((response) => keyOf(response) === key))
    .find((response) => response !== undefined)
}
