import { METHODS } from 'node:http'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

// This reads a description by itself and shares no code with the service, so that an error in how
// the service reads it is seen.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly isRequired: boolean
  readonly schema: Json | undefined
  /** Whether the items of a list are written in one text, separated by commas. */
  readonly isJoined: boolean
  /** Whether it is one text of JSON. */
  readonly isJson: boolean
  /** Whether each of its properties is a parameter of its own. */
  readonly isDeep: boolean
}

export interface Operation {
  readonly operationId: string
  /** In upper case. */
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly body: ReturnType<typeof readBody> | undefined
  /** The names of the security schemes that are required together; none for a public operation. */
  readonly schemes: readonly string[]
  /** The query parameter whose values come from links. */
  readonly pagedBy: string | undefined
  /** Its responses by their status. */
  readonly responses: JsonObject
  /** Since when it is deprecated, until when it stays, and what replaces it; undefined where it is not. */
  readonly deprecation: ReturnType<typeof readDeprecation> | undefined
}

export type Description = ReturnType<typeof readDescription>

type SchemaErrors = (schema: Json | undefined, value: unknown) => readonly ErrorObject[]
type Resolve = (node: Json | undefined) => JsonObject

const methods = METHODS.map((method) => method.toLowerCase())

/** Reads the operations of a description. */
export function readDescription(root: JsonObject) {
  const resolve: Resolve = (node) => {
    const { $ref } = toObject(node)
    return typeof $ref === 'string' ? resolve(follow(root, $ref)) : toObject(node)
  }
  const basePath = basePathOf(root)
  const operations = Object.entries(toObject(root['paths'])).flatMap(([path, item]) =>
    Object.keys(toObject(item))
      .filter((method) => methods.includes(method))
      .map((method) => readOperation(root, resolve, path, method)),
  )
  // Where two paths match, the one with fewer templates is meant (OpenAPI, "Path Templating Matching").
  const routes = operations
    .map((operation) => ({ operation, pattern: pathPattern(basePath, operation.path) }))
    .sort((one, other) => templatesIn(one.operation.path) - templatesIn(other.operation.path))
  return {
    root,
    basePath,
    operations,
    /** Returns a node, or the one that its reference leads to. */
    resolve,
    /** Validates a value of a request by a schema, with Ajv. */
    requestErrors: createSchemaErrors(root, resolve, 'readOnly'),
    /** Validates a value of a response. */
    responseErrors: createSchemaErrors(root, resolve, 'writeOnly'),
    /** Returns the operation of a method and a path, where HEAD means GET. */
    find(method: string, pathname: string): Operation | undefined {
      const wanted = method === 'HEAD' ? 'GET' : method
      const isMeant = ({ operation, pattern }: (typeof routes)[number]) =>
        operation.method === wanted && pattern.test(pathname)
      return routes.find(isMeant)?.operation
    },
  }
}

const templatesIn = (path: string) => path.split('{').length

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

function createSchemaErrors(root: JsonObject, resolve: Resolve, forbidden: string): SchemaErrors {
  const ajv = new Ajv2020({
    ...{ strict: false, allErrors: true, validateSchema: false, logger: false },
  })
  formats.default(ajv)
  ajv.removeKeyword(forbidden)
  ajv.addKeyword({ keyword: forbidden, validate: (isForbidden: boolean) => !isForbidden })
  // What is forbidden in this direction is not required in it.
  const relax = (_key: string, node: Json): Json => {
    const { required, properties } = toObject(node)
    if (!Array.isArray(required)) return node
    const isRequired = (name: Json) =>
      resolve(toObject(properties)[String(name)])[forbidden] !== true
    return { ...toObject(node), required: required.filter(isRequired) }
  }
  ajv.addSchema(JSON.parse(JSON.stringify(root), relax), 'description')
  const compile = memoize((schema) =>
    ajv.compile(
      JSON.parse(
        JSON.stringify(schema ?? true).replaceAll('"$ref":"#', '"$ref":"description#'),
        relax,
      ),
    ),
  )
  return (schema, value) => {
    const validate = compile(schema)
    return validate(value) ? [] : (validate.errors ?? [])
  }
}

/** Returns a function that makes one value for each schema. */
export function memoize<Value>(make: (schema: Json | undefined) => Value) {
  const known = new Map<Json | undefined, Value>()
  return (schema: Json | undefined): Value => {
    const value = known.get(schema) ?? make(schema)
    known.set(schema, value)
    return value
  }
}

function basePathOf(root: JsonObject): string {
  const [server] = toList(root['servers'])
  const url = String(toObject(server)['url'] ?? '/')
  // A host may have variables.
  return url.replace(/^(?:[^/]*:)?\/\/[^/]*/, '').replace(/\/$/, '')
}

function readOperation(
  root: JsonObject,
  resolve: Resolve,
  path: string,
  method: string,
): Operation {
  const item = toObject(toObject(root['paths'])[path])
  const node = toObject(item[method])
  const { 'x-paginated-by': pagedBy, operationId, security, requestBody } = node
  const [requirement] = toList(security ?? root['security'])
  // A parameter of the operation replaces that of its path.
  const parameters = new Map(
    [item, node]
      .flatMap((owner) => toList(owner['parameters']))
      .map((parameter) => readParameter(resolve(parameter)))
      .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  )
  return {
    operationId: String(operationId),
    method: method.toUpperCase(),
    path,
    parameters: [...parameters.values()],
    body: requestBody === undefined ? undefined : readBody(resolve(requestBody)),
    schemes: Object.keys(toObject(requirement)),
    pagedBy: typeof pagedBy === 'string' ? pagedBy : undefined,
    responses: toObject(node['responses']),
    deprecation: node['deprecated'] === true ? readDeprecation(node) : undefined,
  }
}

function readDeprecation(node: JsonObject) {
  const { 'x-deprecated-at': since, 'x-sunset': sunset } = node
  // Descriptions of others may not have them.
  return {
    since: since === undefined ? undefined : String(since),
    sunset: sunset === undefined ? undefined : String(sunset),
    replacedBy: toObject(node['x-replaced-by'])['operationId'],
  }
}

function readParameter(node: JsonObject): Parameter {
  const { style, explode, content } = node
  const [media] = Object.values(toObject(content))
  const location = String(node['in'])
  const isForm = style === undefined ? ['query', 'cookie'].includes(location) : style === 'form'
  return {
    name: String(node['name']),
    in: location,
    isRequired: node['required'] === true,
    schema: media === undefined ? node['schema'] : toObject(media)['schema'],
    isJson: media !== undefined,
    isDeep: style === 'deepObject',
    isJoined: (explode ?? isForm) !== true,
  }
}

function readBody({ required, content, 'x-max-bytes': maxBytes }: JsonObject) {
  const [[mediaType, media] = ['', {}]] = Object.entries(toObject(content))
  return {
    isRequired: required === true,
    mediaType,
    schema: toObject(media)['schema'],
    maxBytes: typeof maxBytes === 'number' ? maxBytes : Infinity,
  }
}

function follow(root: JsonObject, reference: string): Json {
  const names = reference.slice('#/'.length).split('/')
  const found = names.reduce<Json | undefined>((node, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return Array.isArray(node) ? node[Number(key)] : toObject(node)[key]
  }, root)
  if (found === undefined) throw new Error(`${reference} leads nowhere.`)
  return found
}
