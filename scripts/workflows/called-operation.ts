import { dereference, type JsonObject, toList, toObject } from '../pipeline/description.ts'
import { operationsOf, type Place } from '../pipeline/operation-places.ts'

/** What a description says of an operation that a workflow may name. */
export interface CalledOperation {
  readonly operationId: string
  /** The operation as a JSON Pointer (RFC 6901) from the root of its description. */
  readonly pointer: string
  readonly takes: (name: string, place: string) => boolean
  readonly answers: (status: string) => boolean
  /** Whether any of its answers may carry a header. */
  readonly hasHeader: (name: string) => boolean
}

// OpenAPI describes these elsewhere than as parameters, and ignores parameters of their names.
const always = ['accept', 'content-type', 'authorization']

/** The operations of a bundled description. */
export function callableOperations(root: JsonObject): readonly CalledOperation[] {
  const credentials = Object.values(toObject(toObject(root['components'])['securitySchemes']))
    .map((scheme) => dereference(root, scheme))
    .filter(({ type }) => type === 'apiKey')
  return operationsOf(root).map((place) => toCalled(root, place, credentials))
}

function toCalled(
  root: JsonObject,
  { name, path, method, pathItem, operation }: Place,
  credentials: readonly JsonObject[],
): CalledOperation {
  const declared = [pathItem, operation]
    .flatMap(({ parameters }) => toList(parameters))
    .map((parameter) => dereference(root, parameter))
  const responses = Object.entries(toObject(operation['responses']))
  const headers = responses.flatMap(([, response]) =>
    Object.keys(toObject(dereference(root, response)['headers'])),
  )
  const statuses = responses.map(([status]) => status)
  return {
    operationId: name,
    pointer: `/paths/${path.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`,
    takes: (wanted, place) =>
      (place === 'header' && always.includes(wanted.toLowerCase())) ||
      [...declared, ...credentials].some(
        ({ name, in: where }) => where === place && isSame(String(name), wanted, place),
      ),
    answers: (status) =>
      [status, `${status[0]}XX`, 'default'].some((key) => statuses.includes(key)),
    hasHeader: (wanted) => [...headers, 'Content-Type'].some((name) => isSame(name, wanted)),
  }
}

function isSame(one: string, other: string, place = 'header'): boolean {
  return place === 'header' ? one.toLowerCase() === other.toLowerCase() : one === other
}
