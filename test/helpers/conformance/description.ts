import { METHODS } from 'node:http'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

// This reads a description by itself and shares no code with the service, so that an error in how
// the service reads it is seen.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}

export type Parameter = ReturnType<typeof readParameter>
export type Operation = ReturnType<typeof readOperation>
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
      const matching = operations.filter((operation) => {
        return operation.method === wanted && pathPattern(basePath, operation.path).test(pathname)
      })
      // Concrete paths come before templated ones (OpenAPI, "Path Templating Matching").
      return matching.sort((one, other) => rank(one.path) - rank(other.path))[0]
    },
  }
}

/** Ranks paths: those with fewer templates first, then those with more text beside them. */
const rank = (path: string) =>
  1e6 * path.split('{').length - path.replaceAll(/\{[^{}]+\}/g, '').length

/** Matches the request paths of a path template. */
function pathPattern(basePath: string, template: string): RegExp {
  const literals = template.split(/\{[^{}]+\}/).map((text) => RegExp.escape(encodeLiterals(text)))
  return new RegExp(`^${RegExp.escape(basePath)}${literals.join('[^/]+')}$`)
}

/** Writes a path as requests have it. */
export function encodeLiterals(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
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
    // A property may be called `constructor`.
    ownProperties: true,
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
  const toRelaxed = (node: JsonObject) => JSON.parse(JSON.stringify(node), relax)
  // A schema is compiled within the description, in which its references lead somewhere.
  const whole = toRelaxed(root)
  const compile = memoize((schema) =>
    ajv.compile({ ...whole, ...toRelaxed(schema === false ? { not: {} } : toObject(schema)) }),
  )
  return (schema, value) => {
    const validate = compile(schema)
    return validate(value) ? [] : (validate.errors ?? [])
  }
}

/** Returns a function that makes one value for each schema. */
export function memoize<Value>(make: (schema: Json | undefined) => Value) {
  const known = new Map<Json | undefined, Value>()
  return (schema: Json | undefined) => known.getOrInsertComputed(schema, make)
}

function basePathOf(root: JsonObject): string {
  const [server] = toList(root['servers'])
  const url = String(toObject(server)['url'] ?? '/')
  // A host may have variables.
  return url.replace(/^(?:[^/]*:)?\/\/[^/]*/, '').replace(/\/$/, '')
}

function readOperation(root: JsonObject, resolve: Resolve, path: string, method: string) {
  const item = toObject(toObject(root['paths'])[path])
  const node = toObject(item[method])
  const { 'x-paginated-by': pagedBy, operationId, security, requestBody } = node
  const [requirement] = toList(security ?? root['security'])
  // A parameter of the operation replaces that of its path.
  const parameters = new Map(
    [item, node]
      .flatMap((owner) => toList(owner['parameters']))
      .map((parameter) => readParameter(resolve(parameter), pagedBy))
      .map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]),
  )
  return {
    operationId: String(operationId),
    method: method.toUpperCase(),
    path,
    parameters: [...parameters.values()],
    body: requestBody === undefined ? undefined : readBody(resolve(requestBody)),
    /** The names of the security schemes that are required together; none for a public operation. */
    schemes: Object.keys(toObject(requirement)),
    /** Its responses by their status. */
    responses: toObject(node['responses']),
    /** What the description has of it, beside what is read here. */
    node,
  }
}

function readParameter(node: JsonObject, pagedBy: Json | undefined) {
  const { style, explode, content } = node
  const [media] = Object.values(toObject(content))
  const location = String(node['in'])
  const isForm = style === undefined ? ['query', 'cookie'].includes(location) : style === 'form'
  return {
    name: String(node['name']),
    in: location,
    isRequired: node['required'] === true,
    schema: media === undefined ? node['schema'] : toObject(media)['schema'],
    /** Whether it is one text of JSON. */
    isJson: media !== undefined,
    /** Whether each of its properties is a parameter of its own. */
    isDeep: style === 'deepObject',
    /** Whether the items of a list are written in one text, separated by commas. */
    isJoined: (explode ?? isForm) !== true,
    /** Whether its values come from links, so that none can be made. */
    isOpaque: location === 'query' && node['name'] === pagedBy,
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
    return Object(node)[name.replaceAll('~1', '/').replaceAll('~0', '~')]
  }, root)
  if (found === undefined) throw new Error(`${reference} leads nowhere.`)
  return found
}
