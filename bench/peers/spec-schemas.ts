import { readFileSync } from 'node:fs'
import type { OperationId } from './exchange.ts'

/** A JSON object of the description. */
type Node = Readonly<Record<string, unknown>>

/** The schemas of an operation, as Fastify takes them: each whole in itself. */
export interface RouteSchemas {
  readonly querystring?: Node
  readonly params?: Node
  readonly headers?: Node
  readonly body?: Node
  readonly response: Readonly<Record<string, Node>>
}

const file = new URL('../../generated/openapi.json', import.meta.url)

/** Reads the schemas of each operation from the description. */
export function readRouteSchemas(): Readonly<Record<OperationId, RouteSchemas>> {
  const description: Node = JSON.parse(readFileSync(file, 'utf8'))
  const operations = Object.values(child(description, 'paths')).flatMap((item) =>
    Object.values(toNode(inline(description, item))),
  )
  const of = (id: OperationId): RouteSchemas => {
    const operation = operations.map(toNode).find(({ operationId }) => operationId === id)
    if (operation === undefined) throw new Error(`The description has no ${id}.`)
    return schemasOf(operation)
  }
  return { listPets: of('listPets'), createPet: of('createPet'), getPet: of('getPet') }
}

function schemasOf(operation: Node): RouteSchemas {
  const given = Array.isArray(operation['parameters']) ? operation['parameters'].map(toNode) : []
  const of = (place: string) => given.filter((parameter) => parameter['in'] === place)
  const [path, header] = [of('path'), of('header')]
  const body = contentOf(child(operation, 'requestBody'))
  return {
    querystring: { ...toObject(of('query')), additionalProperties: false },
    ...(path.length > 0 ? { params: toObject(path) } : {}),
    ...(header.length > 0 ? { headers: toObject(header, (name) => name.toLowerCase()) } : {}),
    ...(body === undefined ? {} : { body }),
    response: Object.fromEntries(
      Object.entries(child(operation, 'responses')).flatMap(([status, response]) => {
        const schema = contentOf(toNode(response))
        return schema === undefined ? [] : [[status, schema]]
      }),
    ),
  }
}

function contentOf(holder: Node): Node | undefined {
  const schema = child(child(holder, 'content'), 'application/json')['schema']
  return schema === undefined ? undefined : toNode(schema)
}

/** The schema of an object with a member for each parameter. */
function toObject(parameters: readonly Node[], spell = (name: string) => name): Node {
  const named = parameters.map((row) => ({ ...row, name: spell(String(row['name'])) }) as Node)
  const required = named.filter((row) => row['required'] === true).map((row) => row['name'])
  const properties = Object.fromEntries(named.map((row) => [row['name'], row['schema']]))
  return { type: 'object', properties, required }
}

/** Puts what references refer to in their place; what stands beside a reference is kept. */
function inline(root: Node, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inline(root, item))
  if (!isNode(value)) return value
  const { $ref, ...rest } = value
  const own = Object.entries(rest).map(([name, member]) => [name, inline(root, member)])
  const target = typeof $ref === 'string' ? inline(root, at(root, $ref)) : {}
  return { ...toNode(target), ...Object.fromEntries(own) }
}

function at(root: Node, reference: string): Node {
  const keys = reference.slice('#/'.length).split('/')
  return keys.reduce(
    (node, key) => child(node, key.replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  )
}

function child(node: Node, key: string): Node {
  return toNode(node[key])
}

function toNode(value: unknown): Node {
  return isNode(value) ? value : {}
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
