import { Ajv2020 } from 'ajv/dist/2020.js'
import { toChild, toSegments, valueAt } from '../diff/pointer.ts'
import { dereference, type JsonObject, toObject } from '../pipeline/description.ts'
import type { Sample } from './response-samples.ts'
import type { Received } from './sampled-service.ts'

/** Where a response violates the description: a JSON Pointer, and what is wrong. */
export interface Violation {
  readonly pointer: string
  readonly message: string
}

interface Description {
  readonly root: JsonObject
  readonly ajv: Ajv2020
}

// What HTTP needs on any response.
const ofTransport =
  /^(?:connection|content-(?:length|type)|date|keep-alive|transfer-encoding|vary)$/

/** Makes a check of responses against a description. */
export function createResponseCheck(root: JsonObject) {
  const options = { strict: false, allErrors: true, validateSchema: false, logger: false } as const
  const ajv = new Ajv2020({ ...options, validateFormats: false }).addSchema(root, 'description')
  const description = { root, ajv }
  return ({ at, status, isComplete }: Sample, received: Received): readonly Violation[] => {
    const pointer = at.reduce(toChild, '')
    const response = follow(root, pointer)
    if (received.status !== status) {
      return [{ pointer: response, message: `the status is ${received.status}, not ${status}` }]
    }
    if (nodeAt(root, response) === undefined) {
      const message = `the status ${status} is not declared`
      return [{ pointer: at.slice(0, -1).reduce(toChild, ''), message }]
    }
    return [
      ...ofHeaders(description, response, received.headers),
      ...(isComplete ? unsent(root, response, received.headers) : []),
      ...ofBody(description, response, received),
    ]
  }
}

function ofHeaders(description: Description, response: string, headers: Received['headers']) {
  const { root } = description
  const declared = Object.keys(toObject(nodeAt(root, `${response}/headers`)))
  const known = new Set(declared.map((name) => name.toLowerCase()))
  const undeclared = Object.keys(headers)
    .filter((name) => !known.has(name) && !ofTransport.test(name))
    .map((name) => ({ pointer: response, message: `the header ${name} is not declared` }))
  const wrong = declared.flatMap((name) => {
    const pointer = follow(root, toChild(`${response}/headers`, name))
    const { required, schema } = toObject(nodeAt(root, pointer))
    const value = headers[name.toLowerCase()]
    if (value === undefined) {
      return required === true ? [{ pointer, message: `the header ${name} is missing` }] : []
    }
    const read = readHeader(value, dereference(root, schema)['type'])
    return ofSchema(description, `${pointer}/schema`, read, `the header ${name}`)
  })
  return [...undeclared, ...wrong]
}

function unsent(root: JsonObject, response: string, headers: Received['headers']) {
  return Object.entries(toObject(nodeAt(root, `${response}/headers`)))
    .filter(([name]) => headers[name.toLowerCase()] === undefined)
    .filter(([, header]) => dereference(root, header)['required'] !== true)
    .map(([name]) => {
      const message = `the header ${name} is declared, and the service does not send it`
      return { pointer: toChild(`${response}/headers`, name), message }
    })
}

/** The statuses of the responses outside operations that no sample and no failure gives. */
export function unsentStatuses(root: JsonObject, samples: readonly Sample[]): readonly Violation[] {
  const sent = new Set(['500', '503', ...samples.map(({ at: [, status] }) => status)])
  return Object.keys(toObject(root['x-outside-operations']))
    .filter((status) => !sent.has(status))
    .map((status) => {
      const message = `the status ${status} is declared, and the service does not send it there`
      return { pointer: `/x-outside-operations/${status}`, message }
    })
}

function ofBody(description: Description, response: string, { headers, body }: Received) {
  const content = toObject(nodeAt(description.root, `${response}/content`))
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  if (body === '' && Object.keys(content).length === 0) return []
  if (content[type] === undefined) {
    return [{ pointer: response, message: `the media type ${type || '(none)'} is not declared` }]
  }
  const media = follow(description.root, toChild(`${response}/content`, type))
  return ofSchema(description, `${media}/schema`, JSON.parse(body), 'the body')
}

function ofSchema({ root, ajv }: Description, pointer: string, value: unknown, what: string) {
  if (nodeAt(root, pointer) === undefined) return []
  const isValid = ajv.compile({ $ref: `description#${encodeURI(pointer)}` })
  if (isValid(value)) return []
  const found = (isValid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
  const shown = JSON.stringify(value).slice(0, 200)
  return [{ pointer, message: `${what}${found.join(', ')}; it is ${shown}` }]
}

function nodeAt(root: JsonObject, pointer: string): unknown {
  return valueAt(root, toSegments(pointer))
}

/** Where the references that begin at a pointer lead to. */
function follow(root: JsonObject, pointer: string): string {
  const { $ref } = toObject(nodeAt(root, pointer))
  return typeof $ref === 'string' ? follow(root, $ref.slice(1)) : pointer
}

// A header is text; what its schema calls a number or a boolean is written as in JSON.
function readHeader(value: string, type: unknown): unknown {
  const isJson = ['integer', 'number', 'boolean'].includes(String(type))
  return isJson && /^(?:-?\d+|true|false)$/.test(value) ? JSON.parse(value) : value
}
