import { Ajv2020 } from 'ajv/dist/2020.js'
import {
  dereference,
  type JsonObject,
  pointAt,
  toObject,
  toPointer,
} from '../pipeline/description.ts'
import type { Sample } from './response-samples.ts'

/** A response as it was received. */
export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Where a response violates the description: a JSON Pointer, and what is wrong. */
export interface Violation {
  readonly pointer: string
  readonly message: string
}

// What HTTP needs on any response.
const ofTransport =
  /^(?:connection|content-(?:length|type)|date|keep-alive|transfer-encoding|vary)$/

/** Creates a check of responses against a description. */
export function createResponseCheck(root: JsonObject) {
  const options = { strict: false, allErrors: true, validateSchema: false, logger: false } as const
  const ajv = new Ajv2020({ ...options, validateFormats: false }).addSchema(root, 'description')

  function validate(pointer: string, value: unknown, what: string): readonly Violation[] {
    if (pointAt(root, pointer) === undefined) return []
    const isValid = ajv.compile({ $ref: `description${encodeURI(pointer)}` })
    if (isValid(value)) return []
    const found = (isValid.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
    const shown = JSON.stringify(value).slice(0, 200)
    return [{ pointer, message: `${what}${found.join(', ')}; it is ${shown}` }]
  }

  function checkHeaders(response: string, headers: Received['headers'], isComplete: boolean) {
    const declared = Object.keys(toObject(pointAt(root, `${response}/headers`)))
    const known = declared.map((name) => name.toLowerCase())
    const undeclared = Object.keys(headers)
      .filter((name) => !known.includes(name) && !ofTransport.test(name))
      .map((name) => ({ pointer: response, message: `the header ${name} is not declared` }))
    const wrong = declared.flatMap((name) => {
      const at = `${response}/headers${toPointer([name]).slice(1)}`
      const { required, schema } = dereference(root, pointAt(root, at))
      const value = headers[name.toLowerCase()]
      if (value !== undefined) {
        const read = readHeader(value, dereference(root, schema)['type'])
        return validate(`${follow(root, at)}/schema`, read, `the header ${name}`)
      }
      const message = `the service does not send the header ${name}`
      return required === true || isComplete ? [{ pointer: at, message }] : []
    })
    return [...undeclared, ...wrong]
  }

  function checkBody(response: string, { headers, body }: Received): readonly Violation[] {
    const content = toObject(pointAt(root, `${response}/content`))
    const [type = ''] = (headers['content-type'] ?? '').split(';')
    if (body === '' && Object.keys(content).length === 0) return []
    if (content[type] === undefined) {
      const message = `the media type ${type || '(none)'} is not declared`
      return [{ pointer: response, message }]
    }
    const media = follow(root, `${response}/content${toPointer([type]).slice(1)}`)
    return validate(`${media}/schema`, JSON.parse(body), 'the body')
  }

  return ({ at, status, isComplete }: Sample, received: Received): readonly Violation[] => {
    const response = follow(root, toPointer(at))
    if (received.status !== status) {
      return [{ pointer: response, message: `the status is ${received.status}, not ${status}` }]
    }
    if (pointAt(root, response) === undefined) {
      const message = `the status ${status} is not declared`
      return [{ pointer: toPointer(at.slice(0, -1)), message }]
    }
    return [
      ...checkHeaders(response, received.headers, isComplete === true),
      ...checkBody(response, received),
    ]
  }
}

/** Returns the statuses outside operations that no sample and no failure gives. */
export function unsentStatuses(root: JsonObject, samples: readonly Sample[]): readonly Violation[] {
  const sent = new Set(['500', '503', ...samples.map(({ at: [, status] }) => status)])
  return Object.keys(toObject(root['x-outside-operations']))
    .filter((status) => !sent.has(status))
    .map((status) => {
      const message = `the service does not send the status ${status} there`
      return { pointer: toPointer(['x-outside-operations', status]), message }
    })
}

/** Returns where the references that begin at a pointer lead to. */
function follow(root: JsonObject, pointer: string): string {
  const { $ref } = toObject(pointAt(root, pointer))
  return typeof $ref === 'string' ? follow(root, $ref) : pointer
}

// A header is text; what its schema calls a number or a boolean is written as in JSON.
function readHeader(value: string, type: unknown): unknown {
  const isJson = ['integer', 'number', 'boolean'].includes(String(type))
  return isJson && /^(?:-?\d+|true|false)$/.test(value) ? JSON.parse(value) : value
}
