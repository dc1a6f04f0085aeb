import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import description from '../../../generated/openapi.json' with { type: 'json' }
import {
  type ContractIndex,
  createContractIndex,
  type JsonObject,
  type Located,
  toObject,
} from './contract-index.ts'
import { type Exchange, type Field, headerValue } from './exchange.ts'

type SchemaFaults = (schema: Located | undefined, value: unknown, what: string) => string[]
interface Contract extends ContractIndex {
  readonly schemaFaults: SchemaFaults
}
type Place = readonly string[]

// What HTTP and CORS need beside the contract, on any answer.
const ofTransport =
  /^(?:connection|content-(?:length|type)|date|keep-alive|transfer-encoding|vary|access-control-.*)$/i

/**
 * Makes a check of answers against a description: their status, media type and body, and each of
 * their headers. It gives a line for each fault.
 */
export function createAnswerFaults(root: JsonObject = description) {
  const index = createContractIndex(root)
  const contract = { ...index, schemaFaults: createSchemaFaults(root) }

  return function answerFaults(exchange: Exchange): readonly string[] {
    const described = index.find(exchange.method, new URL(exchange.url).pathname)
    if (described === undefined) return []
    const place = [...described.place, String(exchange.status)]
    const faults = faultsAt(contract, place, exchange)
    // What could not be read as HTTP has an answer of its own, whatever it was meant for.
    const isFraming = () => faultsAt(contract, ['x-framing-response'], exchange).length === 0
    if (faults.length > 0 && isFraming()) return []
    return faults.map((fault) => `${described.name} ${exchange.status}: ${fault}`)
  }
}

function createSchemaFaults(root: JsonObject): SchemaFaults {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false })
  ajv.addFormat('int64', true).addSchema(root, 'contract')
  const compiled = new Map<string, ValidateFunction>()
  return (schema, value, what) => {
    if (schema === undefined) return []
    const known = compiled.get(schema.pointer)
    const validate = known ?? ajv.compile({ $ref: `contract#${encodeURI(schema.pointer)}` })
    compiled.set(schema.pointer, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${what}${instancePath} ${message} (#${schema.pointer})`,
    )
  }
}

function faultsAt(contract: Contract, place: Place, exchange: Exchange): string[] {
  if (contract.locate(place) === undefined) return [`status ${exchange.status} is not declared`]
  return [...headerFaults(contract, place, exchange), ...bodyFaults(contract, place, exchange)]
}

function headerFaults({ locate, schemaFaults }: Contract, place: Place, exchange: Exchange) {
  const { headers, waived } = exchange
  const declared = Object.keys(locate([...place, 'headers'])?.node ?? {})
  const known = new Set(declared.map((name) => name.toLowerCase()))
  const undeclared = headers
    .filter(({ name }) => !ofTransport.test(name) && !known.has(name.toLowerCase()))
    .map(({ name, value }) => `header ${name} is not declared here (it is ${value})`)
  const wrong = declared.flatMap((name) => {
    const value = headerValue(headers, name)
    const header = locate([...place, 'headers', name])
    if (value !== undefined) {
      const schema = locate([...place, 'headers', name, 'schema'])
      return schemaFaults(schema, typed(value, schema), `header ${name}`)
    }
    const isOwed = header?.node['required'] === true && !waived.includes(name)
    return isOwed ? [`header ${name} is missing (#${header.pointer})`] : []
  })
  return [...undeclared, ...wrong]
}

function bodyFaults({ locate, schemaFaults }: Contract, place: Place, exchange: Exchange) {
  const { method, headers, body } = exchange
  if (locate([...place, 'content']) === undefined) {
    return body === '' ? [] : ['it has a body, and none is declared']
  }
  const mediaType = mediaTypeOf(headers)
  if (locate([...place, 'content', mediaType]) === undefined) {
    return [`media type ${mediaType || '(none)'} is not declared`]
  }
  if (method === 'HEAD') return body === '' ? [] : ['HEAD is answered with a body']
  const value = mediaType.endsWith('json') ? parse(body) : body
  if (value === undefined) return ['the body is not JSON']
  const said = toObject(value)['status']
  // The description says this in words alone: an Error object has the status of its answer.
  const isOther = exchange.status >= 400 && said !== exchange.status
  const others = isOther ? [`body/status is ${said}, the answer's is ${exchange.status}`] : []
  const schema = locate([...place, 'content', mediaType, 'schema'])
  return [...schemaFaults(schema, value, 'body'), ...others]
}

function mediaTypeOf(headers: readonly Field[]): string {
  return (headerValue(headers, 'content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
}

// A header is text; what its schema calls an integer or a boolean is written as in JSON.
function typed(value: string, schema: Located | undefined): unknown {
  const isOther = schema?.node['type'] === 'integer' || schema?.node['type'] === 'boolean'
  return isOther && /^(?:-?(?:0|[1-9]\d*)|true|false)$/.test(value) ? JSON.parse(value) : value
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
