import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { normalise } from '../../../server/description/normalise.ts'
import type { RequestSettings } from '../../../server/description/settings.ts'

// This reads a description by itself and shares no code with the service, so that an error in how
// the service reads it is seen.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json | undefined
}
/** A schema, or nothing where none is given. */
export type Schema = Json | undefined

/** A parameter object of OpenAPI. */
export interface Parameter extends JsonObject {
  /** Where its value is in a request; the names of headers have no case. */
  readonly at: readonly [location: string, name: string]
}
/** A combination of security schemes that an operation accepts. */
export interface Combination {
  /** How each scheme is described. */
  readonly schemes: readonly JsonObject[]
  /** Whether it requires a scope. */
  readonly hasScopes: boolean
}

export type Operation = ReturnType<typeof readOperations>[number]
export type Description = ReturnType<typeof readDescription>

type Resolve = (node: Json | undefined) => JsonObject

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** How strict the service is with requests, as far as it makes others valid. */
type Strictness = Pick<RequestSettings, 'unknownQueryParameters' | 'repeatedParameters'>

/** Reads the operations of a description. */
export function readDescription(document: object, strictness: Strictness = {}) {
  // A description is JSON; one of OpenAPI 3.0 is read as 3.1 would write it.
  const root = normalise(document as JsonObject) as JsonObject
  const resolve: Resolve = (node) => {
    const { $ref } = toObject(node)
    if (typeof $ref !== 'string') {
      return toObject(node)
    }
    // What another host has is not read, and what refers to it is not served.
    const isOnOtherHost = /^[a-z][a-z\d+.-]+:/i.test($ref)
    return isOnOtherHost ? {} : resolve(follow(root, $ref))
  }
  const [server] = toList(root['servers'])
  const basePath = readBasePath(toObject(server))
  const operations = Object.entries(toObject(root['paths'])).flatMap(([path, item]) =>
    methods
      .filter((method) => Object.hasOwn(toObject(item), method))
      .flatMap((method) => readOperations(root, resolve, path, method)),
  )
  return {
    root,
    basePath,
    strictness,
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

/** Returns the path of the URL of a server, without its host and a slash at its end. */
function readBasePath({ url = '', variables }: JsonObject): string {
  const filled = String(url).replaceAll(/\{([^}]*)\}/g, (whole, name, offset) => {
    // One at the start that is not declared is the origin.
    const other = offset === 0 ? '' : whole
    return String(toObject(toObject(variables)[name])['default'] ?? other)
  })
  const path = filled.replace(/^(?:[^/]*:)?\/\/[^/?]*/, '')
  return new URL(path, 'http://a/').pathname.replace(/\/$/, '')
}

/** Ranks paths: those with fewer templates first, then those with more text beside them. */
const rank = (path: string) =>
  1e6 * path.split('{').length - path.replaceAll(/\{[^{}]+\}/g, '').length

/** Matches the request paths of a path template. */
function pathPattern(basePath: string, template: string): RegExp {
  const encoded = template.replaceAll(/[^\x21-\x7e]+/g, encodeURIComponent)
  const literals = encoded.split(/\{[^{}]+\}/).map((text) => RegExp.escape(text))
  return new RegExp(`^${RegExp.escape(basePath)}${literals.join('[^/]+')}$`)
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function toObject(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

export function toList(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/** Parses JSON; returns undefined if it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a function that validates values by schemas of a description, each compiled once. */
function createSchemaErrors(root: JsonObject, resolve: Resolve, forbidden: string) {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    validateSchema: false,
    logger: false,
    // A property may be called `constructor`.
    ownProperties: true,
    multipleOfPrecision: 3,
    code: { regExp: Object.assign(toRegExp, { code: 'toRegExp' }) },
  })
  formats.default(ajv)
  ajv.removeKeyword(forbidden)
  ajv.addKeyword({ keyword: forbidden, validate: (isForbidden: boolean) => !isForbidden })
  // What is forbidden in this direction is not required in it.
  const relax = (key: string, value: Json): Json | undefined => {
    // References lead from the root of the description.
    if (key === '$id' && typeof value === 'string') {
      return undefined
    }
    const node = nameProto(withoutEmptyEnum(moveCondition(value)))
    const { required, properties } = toObject(node)
    if (!Array.isArray(required)) {
      return node
    }
    const isRequired = (name: Json) =>
      resolve(toObject(properties)[String(name)])[forbidden] !== true
    return { ...toObject(node), required: required.filter(isRequired) }
  }
  const toRelaxed = (node: JsonObject) => JSON.parse(JSON.stringify(node), relax)
  // A schema is compiled within the description, in which its references lead somewhere.
  const compiled = new Map<Schema, ReturnType<typeof ajv.compile>>()
  let isAdded = false
  return (schema: Schema, value: unknown): readonly ErrorObject[] => {
    if (!isAdded) {
      ajv.addSchema(toRelaxed(root), 'description')
      isAdded = true
    }
    const validate = compiled.getOrInsertComputed(schema, () =>
      ajv.compile(toObject(withinDescription(toRelaxed({ allOf: [schema ?? true] })))),
    )
    return validate(value) ? [] : (validate.errors ?? [])
  }
}

/** Keywords whose values are no schemas, whatever they look like. */
const valueKeywords = ['const', 'enum', 'default', 'example', 'examples']

/** Returns a schema whose references lead to the description, under the name that Ajv knows it by. */
function withinDescription(node: Json | undefined, isMapOfSchemas = false): Json | undefined {
  if (Array.isArray(node)) {
    return node.map((item) => withinDescription(item) ?? null)
  }
  if (!isObject(node)) {
    return node
  }

  const entries = Object.entries(node).map(([key, value]) => {
    const isReference = key === '$ref' && typeof value === 'string' && !isMapOfSchemas
    if (isReference) {
      return [key, `description${value}`] as const
    }
    // A property may be called `default`.
    const isValue = valueKeywords.includes(key) && !isMapOfSchemas
    return [key, isValue ? value : withinDescription(value, key === 'properties')] as const
  })
  return Object.fromEntries(entries)
}

/** Replaces an empty `enum`, which no value fits, and which Ajv does not compile. */
function withoutEmptyEnum(node: Json): Json {
  const { enum: values, ...otherKeywords } = toObject(node)
  const isEmpty = Array.isArray(values) && values.length === 0
  return isEmpty ? { ...otherKeywords, allOf: [...toList(otherKeywords['allOf']), false] } : node
}

/** Declares a property that is called `__proto__` by a pattern: Ajv ignores it in `properties`. */
function nameProto(node: Json): Json {
  const { properties, patternProperties } = toObject(node)
  if (!isObject(properties) || !Object.hasOwn(properties, '__proto__')) {
    return node
  }
  const { ['__proto__']: named = true, ...otherProperties } = properties
  const patterns = { ...toObject(patternProperties), '^__proto__$': named }
  return { ...toObject(node), properties: otherProperties, patternProperties: patterns }
}

// Some patterns are regular expressions without the flag `u` alone.
function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

/** Moves a condition into `allOf`: beside it, Ajv loses the members that other keywords know. */
function moveCondition(node: Json): Json {
  const { if: condition, then, else: otherwise, ...otherKeywords } = toObject(node)
  const isClosed = 'unevaluatedProperties' in otherKeywords || 'unevaluatedItems' in otherKeywords
  if (condition === undefined || !isClosed) {
    return node
  }
  const parts = { if: condition, ...(then !== undefined && { then }) }
  const part = { ...parts, ...(otherwise !== undefined && { else: otherwise }) }
  return { ...otherKeywords, allOf: [...toList(otherKeywords['allOf']), part] }
}

/** Reads an operation: once for each media type of its body, so that requests of each of them are made. */
function readOperations(root: JsonObject, resolve: Resolve, path: string, method: string) {
  const item = toObject(toObject(root['paths'])[path])
  const node = toObject(item[method])
  const { required, content, 'x-max-bytes': maxBytes } = resolve(node['requestBody'])
  const bodies = Object.entries(toObject(content)).map(([type, media]) => {
    // A range stands for any type in it.
    return { required, mediaType: type.replaceAll('*', 'x'), media: resolve(media), maxBytes }
  })
  // A parameter of the operation replaces that of its path.
  const parameters = new Map(
    [item, node]
      .flatMap((owner) => toList(owner['parameters']).map(resolve))
      .filter((parameter) => parameter['name'] !== undefined)
      .map((parameter) => [`${parameter['in']} ${parameter['name']}`, readParameter(parameter)]),
  )
  const read = {
    operationId: String(node['operationId']),
    method: method.toUpperCase(),
    path,
    parameters: [...parameters.values()],
    /** The combinations of security schemes that it accepts. */
    combinations: readCombinations(root, resolve, node),
    /** Its responses by their status. */
    responses: toObject(node['responses']),
    /** Its object in the description. */
    node,
  }
  const [first, ...otherBodies] = bodies
  return [{ ...read, body: first }, ...otherBodies.map((body) => ({ ...read, body }))]
}

/** Reads the combinations of security schemes that are accepted; one without schemes accepts every request. */
function readCombinations(
  root: JsonObject,
  resolve: Resolve,
  operation: JsonObject,
): readonly Combination[] {
  const { securitySchemes } = toObject(root['components'])
  const combinations = toList(operation['security'] ?? root['security']).map((requirement) => {
    const entries = Object.entries(toObject(requirement))
    const schemes = entries.map(([name]) => resolve(toObject(securitySchemes)[name]))
    return { schemes, hasScopes: entries.some(([, scopes]) => toList(scopes).length > 0) }
  })
  return combinations.length === 0 ? [{ schemes: [], hasScopes: false }] : combinations
}

/** The locations of parameters as OpenAPI names them, and as errors do. */
const locations: Readonly<Record<string, string>> = { header: 'headers', cookie: 'cookies' }

function readParameter(node: JsonObject): Parameter {
  const name = String(node['name'])
  const location = String(node['in'])
  const key = location === 'header' ? name.toLowerCase() : name
  return { ...node, at: [locations[location] ?? location, key] }
}

function follow(root: JsonObject, reference: string): Json {
  const names = reference.slice('#/'.length).split('/')
  const target = names.reduce<Json | undefined>((node, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return Array.isArray(node) ? node[Number(key)] : toObject(node)[key]
  }, root)
  if (target === undefined) {
    throw new Error(`${reference} leads nowhere.`)
  }
  return target
}
