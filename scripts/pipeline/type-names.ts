import type { Description, Operation } from '../../server/description/description.ts'
import type { Located } from '../../server/description/location.ts'
import { idOf } from '../../server/description/operations.ts'
import { servedOperations } from '../../server/description/unserved.ts'
import { acceptedContentOf, successContentOf } from './call-content.ts'
import { ownHeadersOf } from './call-headers.ts'
import { uploadContentOf } from './call-uploads.ts'
import { clientTypeNames } from './client-exports.ts'
import { toTypeName } from './identifiers.ts'

/** The names of the types in `generated/calls.ts`. */
export interface TypeNames {
  /** By the names of schemas. */
  readonly schemas: ReadonlyMap<string, string>
  /** Of the bodies of errors, and of these by status. */
  readonly errorBody: string
  readonly errorBodies: string
  /** By operation, and what it has: the names of its types of parameters and of response headers. */
  readonly operations: ReadonlyMap<Operation, OperationTypeNames>
}

/** What operations have types of, and how the names of these types end. */
const endings = {
  path: 'Path',
  query: 'Query',
  header: 'Headers',
  cookie: 'Cookies',
  responseHeaders: 'ResponseHeaders',
} as const

/** The names of the types that an operation has. */
export type OperationTypeNames = Readonly<Partial<Record<keyof typeof endings, string>>>

/** The type parameters of the methods, which a client fills in. */
export const typeParameters = ['CallResult', 'ListResult', 'CallOptions', 'ListOptions']

/**
 * Names the types of a description. A schema has its own name; a type that the pipeline names gets an underscore
 * at its end where a schema has its name.
 */
export function nameTypes(description: Description): TypeNames {
  const operations = servedOperations(description)
  // The module uses these names itself.
  const ofWebhooks = description.webhooks.length > 0 ? ['Webhooks'] : []
  const ofModule = ['Methods', 'NonNullable', 'Page', 'Promise', ...ofWebhooks, ...typeParameters]
  const usedNames = new Set([...ofModule, ...typesOfClient(operations)])

  const keys = [...schemasOf(description).keys()]
  const schemas = new Map(keys.map((key) => [key, toTypeName(key, usedNames)] as const))
  const errorBody = toTypeName('ErrorBody', usedNames)
  const errorBodies = toTypeName('ErrorBodies', usedNames)
  const ofOperations = operations.map((operation) => {
    return [operation, nameOperationTypes(operation, usedNames)] as const
  })
  return { schemas, errorBody, errorBodies, operations: new Map(ofOperations) }
}

function nameOperationTypes(operation: Operation, taken: Set<string>): OperationTypeNames {
  const locations: readonly string[] = operation.parameters.map(({ location }) => location)
  const hasHeaders = ownHeadersOf(operation).length > 0
  const has = (key: string) => (key === 'responseHeaders' ? hasHeaders : locations.includes(key))
  const names = Object.entries(endings).map(([key, ending]) => {
    return [key, has(key) ? toTypeName(`${idOf(operation)}${ending}`, taken) : undefined] as const
  })
  return Object.fromEntries(names)
}

/** Returns the names of types of the client that the methods may have. */
function typesOfClient(operations: readonly Operation[]): readonly string[] {
  const mayHave = operations.some((operation) => {
    const optionalParts = [
      ...[acceptedContentOf(operation), uploadContentOf(operation)],
      ownHeadersOf(operation),
    ]
    return (
      successContentOf(operation) !== undefined || optionalParts.some((list) => list.length > 0)
    )
  })
  return mayHave ? clientTypeNames : []
}

export function schemasOf({ components }: Description): ReadonlyMap<string, Located> {
  return components.get('schemas') ?? new Map()
}
