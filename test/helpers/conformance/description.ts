import { METHODS } from 'node:http'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

// This reads a description by itself and shares no code with the service, so that an error in how
// the service reads it is seen.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}

/** A node of a description, with its JSON Pointer once every `$ref` on the way is followed. */
export interface Located {
  readonly node: JsonObject
  readonly pointer: string
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly isRequired: boolean
  readonly schema: Json | undefined
  /** Whether the items of a list are written in one text, separated by commas. */
  readonly isJoined: boolean
}

export interface Body {
  readonly isRequired: boolean
  readonly mediaType: string
  readonly schema: Json | undefined
  readonly maxBytes: number
}

export interface Operation {
  readonly operationId: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: Body | undefined
  /** The names of the security schemes that are required together; none for a public operation. */
  readonly schemes: readonly string[]
  /** The query parameter whose values come from links. */
  readonly pagedBy: string | undefined
  readonly successes: readonly number[]
  /** Where its responses are, as names from the root of the description. */
  readonly responses: readonly string[]
  readonly node: JsonObject
}

export interface Description {
  readonly root: JsonObject
  readonly basePath: string
  readonly operations: readonly Operation[]
  /** Follows names from the root, or a reference. */
  readonly locate: (place: readonly string[] | string) => Located | undefined
  /** Validates a value by a schema, with Ajv. */
  readonly schemaErrors: (schema: Json | undefined, value: unknown) => readonly ErrorObject[]
  /** The operation of a method and a path, where HEAD means GET. */
  readonly find: (method: string, pathname: string) => Operation | undefined
}

const methods = METHODS.map((method) => method.toLowerCase())

/** Reads the operations of a description. */
export function readDescription(root: JsonObject): Description {
  const locate: Locate = (place) => walk(root, typeof place === 'string' ? namesIn(place) : place)
  const basePath = basePathOf(root)
  const operations = Object.entries(nodeAt(locate, ['paths'])).flatMap(([path, item]) =>
    Object.keys(toObject(item))
      .filter((method) => methods.includes(method))
      .map((method) => readOperation(locate, path, method)),
  )
  // Where two paths match, the one with fewer templates is meant (OpenAPI, "Path Templating Matching").
  const routes = operations
    .map((operation) => ({ operation, pattern: pathPattern(basePath, operation.path) }))
    .sort((one, other) => templatesIn(one.operation) - templatesIn(other.operation))
  return {
    root,
    basePath,
    operations,
    locate,
    schemaErrors: createSchemaErrors(root),
    find(method, pathname) {
      const wanted = method === 'HEAD' ? 'GET' : method
      const isMeant = ({ operation, pattern }: (typeof routes)[number]) =>
        operation.method === wanted && pattern.test(pathname)
      return routes.find(isMeant)?.operation
    },
  }
}

/** Matches the request paths of a path template. */
function pathPattern(basePath: string, template: string): RegExp {
  const literals = template.split(/\{[^{}]+\}/).map((text) => RegExp.escape(text))
  return new RegExp(`^${RegExp.escape(basePath)}${literals.join('[^/]+')}$`)
}

export function toObject(value: unknown): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  // What was parsed from JSON holds nothing but JSON.
  return isObject ? (value as JsonObject) : {}
}

export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** Parses JSON; undefined where it is none. */
export function parseJson(text: string | undefined): Json | undefined {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

function createSchemaErrors(root: JsonObject): Description['schemaErrors'] {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, logger: false })
  formats.default(ajv)
  ajv.addSchema(root, 'description')
  const compiled = new Map<Json | undefined, ValidateFunction>()
  const compile = (schema: Json | undefined): ValidateFunction =>
    ajv.compile(
      JSON.parse(JSON.stringify(schema ?? true).replaceAll('"$ref":"#', '"$ref":"description#')),
    )
  return (schema, value) => {
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    return validate(value) ? [] : (validate.errors ?? [])
  }
}

function templatesIn({ path }: Operation): number {
  return path.split('{').length
}

function basePathOf(root: JsonObject): string {
  const [server] = toList(root['servers'])
  const url = String(toObject(server)['url'] ?? '/').replaceAll(/[{}]/g, '')
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '')
}

type Locate = Description['locate']

function nodeAt(locate: Locate, place: readonly string[]): JsonObject {
  return locate(place)?.node ?? {}
}

function readOperation(locate: Locate, path: string, method: string): Operation {
  const place = ['paths', path, method]
  const node = nodeAt(locate, place)
  const { 'x-paginated-by': pagedBy, operationId, security, requestBody } = node
  const [requirement = {}] = toList(security ?? nodeAt(locate, [])['security'])
  const successes = Object.keys(toObject(node['responses']))
    .map(Number)
    .filter((status) => status >= 200 && status < 300)
  const parameters = [['paths', path], place].flatMap((owner) =>
    [...toList(nodeAt(locate, owner)['parameters']).keys()].map((number) =>
      readParameter(nodeAt(locate, [...owner, 'parameters', String(number)])),
    ),
  )
  const responses = [...place, 'responses']
  return {
    operationId: String(operationId),
    method: method.toUpperCase(),
    path,
    parameters,
    body:
      requestBody === undefined ? undefined : readBody(nodeAt(locate, [...place, 'requestBody'])),
    schemes: Object.keys(toObject(requirement)),
    pagedBy: typeof pagedBy === 'string' ? pagedBy : undefined,
    successes,
    responses,
    node,
  }
}

function readParameter({
  name,
  in: place,
  required,
  schema,
  style,
  explode,
}: JsonObject): Parameter {
  const isForm = style === undefined ? place === 'query' || place === 'cookie' : style === 'form'
  return {
    name: String(name),
    in: String(place),
    isRequired: required === true,
    schema,
    isJoined: (explode ?? isForm) !== true,
  }
}

function readBody({ required, content, 'x-max-bytes': maxBytes }: JsonObject): Body {
  const [[mediaType, media] = ['', {}]] = Object.entries(toObject(content))
  return {
    isRequired: required === true,
    mediaType,
    schema: toObject(media)['schema'],
    maxBytes: typeof maxBytes === 'number' ? maxBytes : Infinity,
  }
}

function walk(root: JsonObject, place: readonly string[]): Located | undefined {
  let at = follow(root, { node: root, pointer: '' })
  for (const name of place) {
    const node: unknown = Array.isArray(at.node) ? at.node[Number(name)] : at.node[name]
    if (typeof node !== 'object' || node === null) return undefined
    const token = name.replaceAll('~', '~0').replaceAll('/', '~1')
    // The items of a list are found by their numbers, which are names here.
    at = follow(root, { node: node as JsonObject, pointer: `${at.pointer}/${token}` })
  }
  return at
}

function follow(root: JsonObject, at: Located): Located {
  const { $ref } = at.node
  if (typeof $ref !== 'string') return at
  const found = walk(root, namesIn($ref))
  if (found === undefined) throw new Error(`${$ref} leads nowhere.`)
  return found
}

function namesIn(reference: string): string[] {
  const names = reference.slice('#/'.length).split('/')
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}
