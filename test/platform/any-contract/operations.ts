import type { Document, Located } from './document.ts'
import { isObject, type Json, type JsonObject, toList, toObject, toText } from './json.ts'

/** An operation of a description, as the judge reads it. */
export interface Operation {
  /** In upper case: `GET`. */
  readonly method: string
  /** The path as the description has it, without a base path. */
  readonly path: string
  /** The path of its server, `''` for the root. */
  readonly basePath: string
  readonly located: Located<JsonObject>
  /** The parameters of the operation and of its path, behind their references. */
  readonly parameters: readonly Located<JsonObject>[]
  /** The requirements that apply: its own, or those of the description. */
  readonly security: readonly JsonObject[]
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/** Returns the operations of a description, in its order. */
export function listOperations(document: Document): readonly Operation[] {
  const paths = Object.keys(toObject(document.root.value['paths']))
  return paths.filter((path) => path.startsWith('/')).flatMap((path) => readPath(document, path))
}

/** Returns a name for messages: `GET /books`. */
export function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`
}

function readPath(document: Document, path: string): readonly Operation[] {
  const { root } = document
  const item = document.follow(document.at(root, 'paths', path))
  const others = Object.keys(toObject(item.value['additionalOperations']))
  const keys = [
    ...methods.filter((method) => isObject(item.value[method])).map((method) => [method]),
    ...others.map((method) => ['additionalOperations', method]),
  ]

  const basePath = readBasePath(root.value['servers'])
  const common = listParameters(document, item)
  return keys.map((key): Operation => {
    const located = document.follow(document.at(item, ...key))
    const own = listParameters(document, located)
    const isReplaced = (parameter: Located<JsonObject>) =>
      own.some((other) => keyOf(other) === keyOf(parameter))
    const parameters = [...common.filter((parameter) => !isReplaced(parameter)), ...own]
    const security = toList(located.value['security'] ?? root.value['security']).map(toObject)
    const method = (key.at(-1) ?? '').toUpperCase()
    return { method, path, basePath, located, parameters, security }
  })
}

function listParameters(document: Document, parent: Located<JsonObject>) {
  return toList(parent.value['parameters']).map((_, index) =>
    document.follow(document.at(parent, 'parameters', String(index))),
  )
}

/** Returns what identifies a parameter: its place and its name. */
export function keyOf({ value }: Located<JsonObject>): string {
  const place = toText(value['in'])
  const name = toText(value['name'])
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`
}

/** Returns the path of the first server, with the defaults of its variables: `/v1`, or `''`. */
export function readBasePath(servers: Json | undefined): string {
  const [first] = toList(servers)
  return pathOfServer(toObject(first))
}

/** Returns the path of a server, `''` for the root. */
export function pathOfServer(server: JsonObject): string {
  const variables = toObject(server['variables'])
  const url = toText(server['url']).replaceAll(/\{([^{}]+)\}/g, (_, name: string) =>
    String(toObject(variables[name])['default'] ?? ''),
  )
  const { pathname } = new URL(url === '' ? '/' : url, 'http://host.example/')
  return pathname.replace(/\/+$/, '')
}

/** Returns the operation of a request, by its method and the path that is sent. */
export function findOperation(
  operations: readonly Operation[],
  method: string,
  target: string,
): Operation | undefined {
  const [path = ''] = target.split('?')
  const matching = operations.filter(
    (operation) =>
      operation.method === method && toPattern(operation.basePath + operation.path).test(path),
  )
  // A concrete path comes before one with parameters.
  return matching.find((operation) => !operation.path.includes('{')) ?? matching[0]
}

function toPattern(template: string): RegExp {
  const literals = template.split(/\{[^{}]+\}/).map((literal) => {
    return literal.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${literals.join('[^/]+')}$`)
}

/** Returns the response that an operation declares for a status: the exact one, its range, or `default`. */
export function findResponse(
  document: Document,
  { located }: Pick<Operation, 'located'>,
  status: number,
): Located<JsonObject> | undefined {
  const responses = toObject(located.value['responses'])
  const range = `${Math.floor(status / 100)}XX`
  const key = [String(status), range, range.toLowerCase(), 'default'].find(
    (candidate) => responses[candidate] !== undefined,
  )
  const found = key === undefined ? undefined : document.at(located, 'responses', key)
  return found === undefined ? undefined : document.follow(found)
}

/** Returns whether a media type is JSON. */
export function isJsonType(mediaType: string): boolean {
  return /^application\/(?:[^;]+\+)?json\b/i.test(mediaType) || /^\*\/\*$/.test(mediaType)
}
