import { METHODS } from 'node:http'
import {
  createContractIndex,
  type Json,
  type JsonObject,
  toObject,
} from '../../support/traffic/contract-index.ts'
import { listOf } from './schema.ts'

/** A parameter as a description has it. */
export interface DescribedParameter {
  readonly name: string
  readonly in: string
  readonly isRequired: boolean
  readonly schema: Json | undefined
}

/** What a description says of the body of requests. */
export interface DescribedBody {
  readonly isRequired: boolean
  readonly mediaType: string
  readonly schema: Json | undefined
  /** The largest, in bytes. */
  readonly maxBytes: number | undefined
}

/** An operation as a description has it. */
export interface DescribedOperation {
  readonly operationId: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  readonly parameters: readonly DescribedParameter[]
  readonly body: DescribedBody | undefined
  /** The names of the security schemes that are asked for together; none where nobody is asked. */
  readonly schemes: readonly string[]
  /** The query parameter that is opaque, because links are what it is taken from. */
  readonly pagedBy: string | undefined
  /** The statuses of success. */
  readonly successes: readonly number[]
  /** The whole operation. */
  readonly node: JsonObject
}

const methods = METHODS.map((method) => method.toLowerCase())

/** Reads the operations of a description. */
export function readOperations(root: JsonObject): DescribedOperation[] {
  const { locate } = createContractIndex(root)
  const at = (...place: readonly string[]) => locate(place)?.node ?? {}
  return Object.entries(at('paths')).flatMap(([path, item]) =>
    Object.keys(toObject(item))
      .filter((method) => methods.includes(method))
      .map((method) => readOperation(at, path, method)),
  )
}

type At = (...place: readonly string[]) => JsonObject

function readOperation(at: At, path: string, method: string): DescribedOperation {
  const place = ['paths', path, method]
  const node = at(...place)
  const pagedBy = node['x-paginated-by']
  const [first = {}] = listOf(node['security'] ?? at()['security'])
  const shared = listOf(at('paths', path)['parameters']).keys()
  const own = listOf(node['parameters']).keys()
  return {
    operationId: String(node['operationId']),
    method: method.toUpperCase(),
    path,
    parameters: [
      ...[...shared].map((number) => at('paths', path, 'parameters', String(number))),
      ...[...own].map((number) => at(...place, 'parameters', String(number))),
    ].map(readParameter),
    body: node['requestBody'] === undefined ? undefined : readBody(at, [...place, 'requestBody']),
    schemes: Object.keys(toObject(first)),
    pagedBy: typeof pagedBy === 'string' ? pagedBy : undefined,
    successes: Object.keys(toObject(node['responses']))
      .map(Number)
      .filter((status) => status >= 200 && status < 300),
    node,
  }
}

function readParameter(node: JsonObject): DescribedParameter {
  const { name, in: place, required, schema } = node
  return { name: String(name), in: String(place), isRequired: required === true, schema }
}

function readBody(at: At, place: readonly string[]): DescribedBody {
  const { required, content, 'x-max-bytes': maxBytes } = at(...place)
  const [[mediaType, media] = ['', {}]] = Object.entries(toObject(content))
  return {
    isRequired: required === true,
    mediaType,
    schema: toObject(media)['schema'],
    maxBytes: typeof maxBytes === 'number' ? maxBytes : undefined,
  }
}
