import { commonKey } from '../lint/common-groups.ts'
import { platformKey } from '../lint/common-parts.ts'
import { type JsonObject, readServerUrl, toList, toObject } from '../pipeline/description.ts'
import { DescriptionError } from '../pipeline/failure.ts'
import { allMethods } from '../pipeline/operation-entries.ts'
import { Sources } from '../pipeline/sources.ts'
import { readContent } from './content-reader.ts'
import type {
  Deprecation,
  Description,
  DescriptionPart,
  Header,
  Operation,
  Parameter,
  Response,
  Security,
  SecurityScheme,
  Server,
} from './description.ts'
import { type Entry, entriesOf, Fields } from './fields.ts'
import { type Located, toKey } from './location.ts'
import { type Later, later } from './schema.ts'
import { SchemaReader } from './schema-reader.ts'

/** Reads a description in the form in which two can be compared; throws, with file and line, where it cannot. */
export function readDescription(file: string): Description {
  return new DescriptionReader(new Sources(file)).read()
}

/** What operations have of the description, or of their path, unless they state it themselves. */
interface Inherited {
  readonly security: Security
  readonly servers: readonly Server[]
  readonly hasOwnServers: boolean
  readonly parameters: readonly Parameter[]
}

class DescriptionReader {
  readonly #sources: Sources
  readonly #schemas: SchemaReader
  readonly #root: Located
  /** The path items that are being read. */
  readonly #open = new Set<string>()

  constructor(sources: Sources) {
    this.#sources = sources
    this.#root = { file: sources.file, pointer: '#', value: sources.root }
    const openapi = String(toObject(sources.root)['openapi'])
    if (!/^3\.[012]\.\d+/.test(openapi)) {
      const at = sources.locationOf(sources.file, '#/openapi')
      const wanted = 'it must begin with openapi: 3.0.x, 3.1.x or 3.2.x'
      throw new DescriptionError([`${at} OpenAPI ${openapi} cannot be compared; ${wanted}`])
    }
    this.#schemas = new SchemaReader(sources, openapi.startsWith('3.0.'))
  }

  read(): Description {
    const fields = new Fields(this.#root)
    // How it is written; what it has in common is read with the operations that have it.
    for (const key of ['openapi', '$self', commonKey, platformKey]) fields.take(key)
    const info = new Fields(fields.take('info'))
    info.take('version')
    const inherited = {
      security: this.#readSecurity(fields.take('security'), true),
      servers: this.#readServers(fields.take('servers')),
      hasOwnServers: false,
      parameters: [],
    }
    const readAll = (key: string) =>
      fields.takeEntries(key).flatMap((item) => this.#readPathItem(item, item.key, inherited))
    const framing = fields.take('x-framing-response')
    const components = this.#readComponents(fields.takeEntries('components'))
    return {
      sources: this.#sources,
      info: info.rest(),
      tags: fields.takeEntries('tags').map((tag) => {
        const tagFields = new Fields(tag)
        return { name: tagFields.takeText('name') ?? '', ...tagFields.rest() }
      }),
      servers: inherited.servers,
      security: inherited.security,
      securitySchemes: this.#readSecuritySchemes(components.get('securitySchemes')),
      operations: readAll('paths'),
      webhooks: readAll('webhooks'),
      outside: [
        ...this.#readResponses(fields.take('x-undeclared-operations')),
        ...(framing.value === undefined
          ? []
          : [this.#readResponse({ ...framing, key: 'malformed' }, false)]),
      ],
      components,
      schemas: new Map(
        [...(components.get('schemas') ?? [])].map(([name, node]) => [name, this.#later(node)]),
      ),
      root: this.#withExtensions(fields.rest(), fields.take('paths')),
    }
  }

  #follow(node: Located): Located {
    const target = this.#sources.follow(node)
    if (target === node) return node
    const { $ref: _, ...beside } = toObject(node.value)
    if (Object.keys(beside).length === 0) return target
    return { ...target, value: { ...toObject(target.value), ...beside } }
  }

  #later(node: Located): Later {
    return later(() => this.#schemas.read(node))
  }

  #readContent(node: Located) {
    return readContent(
      node,
      (each) => this.#follow(each),
      (schema) => this.#later(schema),
    )
  }

  /** Returns the components of the platform and of the description, of which the latter win. */
  #readComponents(own: readonly Entry[]): Description['components'] {
    const { platform } = this.#sources
    const ofPlatform =
      platform === undefined
        ? []
        : new Fields({ ...platform, pointer: '#', value: platform.root }).takeEntries('components')
    const components = new Map<string, Map<string, Located>>()
    for (const kind of [...ofPlatform, ...own]) {
      const known = components.get(kind.key) ?? new Map<string, Located>()
      for (const each of entriesOf(kind)) known.set(each.key, each)
      components.set(kind.key, known)
    }
    return components
  }

  #readPathItem(node: Located, path: string, inherited: Inherited): readonly Operation[] {
    // The extensions of `paths` are no paths.
    if (path.startsWith('x-')) return []
    const item = this.#follow(node)
    const key = toKey(item)
    // A callback that has itself as a callback is compared once.
    if (this.#open.has(key)) return []
    this.#open.add(key)
    const operations = this.#readOperations(item, path, inherited)
    this.#open.delete(key)
    return operations
  }

  #readOperations(item: Located, path: string, inherited: Inherited): readonly Operation[] {
    const fields = new Fields(item)
    const own = fields.take('servers')
    const ofPath = {
      ...inherited,
      parameters: this.#readParameters(fields.take('parameters')),
      ...(own.value !== undefined && { servers: this.#readServers(own), hasOwnServers: true }),
    }
    const items = [
      ...allMethods.filter((method) => fields.has(method)).map((method) => fields.take(method)),
      ...fields.takeEntries('additionalOperations'),
    ]
    // What a path says, it says of each of its operations.
    const { texts, examples: _, others } = fields.rest()
    return items.map((item) => {
      const operation = this.#readOperation(item, path, ofPath)
      return {
        ...operation,
        texts: { ...prefix(texts), ...operation.texts },
        others: { ...prefix(others), ...operation.others },
      }
    })
  }

  #readOperation(node: Entry, path: string, inherited: Inherited): Operation {
    const fields = new Fields(this.#follow(node))
    // Names of methods have a case, but OpenAPI writes those that it knows in lower case.
    const method = allMethods.includes(node.key) ? node.key.toUpperCase() : node.key
    const security = fields.take('security')
    const servers = fields.take('servers')
    const paginatedBy = fields.take('x-paginated-by')
    const parameters = this.#readParameters(fields.take('parameters'))
    const names = parameters.map(toParameterKey)
    const body = fields.take('requestBody')
    const responses = fields.take('responses')
    return {
      name: `${method} ${path}`,
      method,
      path,
      operationId: fields.takeText('operationId'),
      tags: toList(fields.take('tags').value).map(String),
      deprecation: readDeprecation(fields),
      paginatedBy:
        paginatedBy.value === undefined
          ? undefined
          : { value: String(paginatedBy.value), at: paginatedBy },
      security:
        security.value === undefined ? inherited.security : this.#readSecurity(security, false),
      servers: servers.value === undefined ? inherited.servers : this.#readServers(servers),
      hasOwnServers: servers.value !== undefined || inherited.hasOwnServers,
      parameters: [
        ...parameters,
        ...inherited.parameters.filter((each) => !names.includes(toParameterKey(each))),
      ],
      body: body.value === undefined ? undefined : this.#readBody(body),
      responses: this.#readResponses(responses),
      callbacks: fields.takeEntries('callbacks').flatMap((callback) =>
        entriesOf(this.#follow(callback)).flatMap((item) =>
          this.#readPathItem(item, `${callback.key} ${item.key}`, {
            ...inherited,
            // It is sent to where its expression says.
            hasOwnServers: false,
            parameters: [],
          }),
        ),
      ),
      ...this.#withExtensions(fields.rest(), responses),
    }
  }

  /** Adds the extensions of a map, such as `responses`, whose other keys are names. */
  #withExtensions(part: DescriptionPart, map: Located): DescriptionPart {
    const extensions = entriesOf(this.#follow(map)).filter(({ key }) => key.startsWith('x-'))
    const others = extensions.map(({ key, value }) => [key, value] as const)
    return { ...part, others: { ...part.others, ...Object.fromEntries(others) } }
  }

  #readParameters(node: Located): readonly Parameter[] {
    return entriesOf(node).map((entry) => {
      const fields = new Fields(this.#follow(entry))
      const location = fields.takeText('in') ?? ''
      const name = fields.takeText('name') ?? ''
      return {
        entry,
        name,
        location,
        isRequired: fields.takeFlag('required') || location === 'path',
        deprecation: readDeprecation(fields),
        form: readForm(fields, /^(?:query|cookie)$/.test(location) ? 'form' : 'simple'),
        ...this.#readValue(fields),
        ...fields.rest(),
      }
    })
  }

  #readValue(fields: Fields) {
    const schema = fields.take('schema')
    return {
      schema: schema.value === undefined ? undefined : this.#later(schema),
      content: this.#readContent(fields.take('content')),
    }
  }

  #readBody(node: Located) {
    const fields = new Fields(this.#follow(node))
    const { value: maxBytes } = fields.take('x-max-bytes')
    return {
      isRequired: fields.takeFlag('required'),
      maxBytes: typeof maxBytes === 'number' ? maxBytes : undefined,
      content: this.#readContent(fields.take('content')),
      ...fields.rest(),
    }
  }

  #readResponses(node: Located): readonly Response[] {
    const entries = entriesOf(this.#follow(node)).filter(({ key }) => !key.startsWith('x-'))
    const isOfSuccess = ({ key }: Entry) => /^[123]/.test(key)
    // Beside listed successes, `default` means errors.
    const hasSuccess = entries.some(isOfSuccess)
    return entries.map((entry) => {
      const isSuccess = entry.key === 'default' ? !hasSuccess : isOfSuccess(entry)
      return this.#readResponse(entry, isSuccess)
    })
  }

  #readResponse(entry: Entry, isSuccess: boolean): Response {
    const fields = new Fields(this.#follow(this.#sources.originalOf(entry)))
    return {
      entry: this.#sources.originOf(entry),
      status: entry.key.toUpperCase().replace('DEFAULT', 'default'),
      isSuccess,
      headers: this.#readHeaders(fields.take('headers')),
      content: this.#readContent(fields.take('content')),
      links: fields.take('links').value,
      ...fields.rest(),
    }
  }

  #readHeaders(node: Located): readonly Header[] {
    // OpenAPI ignores this one: the media types say it.
    const entries = entriesOf(node).filter(({ key }) => key.toLowerCase() !== 'content-type')
    return entries.map((each) => {
      const fields = new Fields(this.#follow(each))
      return {
        entry: this.#sources.originOf(each),
        name: each.key,
        isRequired: fields.takeFlag('required'),
        deprecation: readDeprecation(fields),
        form: readForm(fields, 'simple'),
        ...this.#readValue(fields),
        ...fields.rest(),
      }
    })
  }

  #readSecurity(node: Located, isInherited: boolean): Security {
    const alternatives = toList(node.value).map((requirement) => {
      const scopes = Object.entries(toObject(requirement)).map(
        ([name, list]) => [name, toList(list).map(String).sort()] as const,
      )
      return new Map(scopes)
    })
    // Without a list, as with an empty one, no credentials are required.
    return {
      at: node,
      alternatives: alternatives.length > 0 ? alternatives : [new Map()],
      isInherited,
    }
  }

  #readSecuritySchemes(nodes: ReadonlyMap<string, Located> = new Map()) {
    const schemes = [...nodes].map(([name, node]): readonly [string, SecurityScheme] => {
      const fields = new Fields(this.#follow(node))
      const form: Record<string, unknown> = {}
      for (const key of ['type', 'scheme', 'in', 'name', 'openIdConnectUrl', 'oauth2MetadataUrl']) {
        const { value } = fields.take(key)
        // The names of schemes of HTTP, and of headers, have no case.
        const hasCase = key !== 'scheme' && !(key === 'name' && form['in'] === 'header')
        if (value !== undefined) form[key] = hasCase ? value : String(value).toLowerCase()
      }
      const { value: format } = fields.take('bearerFormat')
      const flows = fields.takeObject('flows')
      const part = fields.rest()
      const texts = format === undefined ? part.texts : { ...part.texts, bearerFormat: format }
      return [name, { name, form, flows, ...part, texts }]
    })
    return new Map(schemes)
  }

  #readServers(node: Located): readonly Server[] {
    const nodes =
      toList(node.value).length > 0 ? entriesOf(node) : [{ ...node, value: { url: '/' } }]
    return nodes.map((each) => {
      const fields = new Fields(each)
      const variables = fields.takeEntries('variables').map((variable) => {
        const own = new Fields(variable)
        const { value: values } = own.take('enum')
        const initial = own.takeText('default') ?? ''
        const allowed = Array.isArray(values) ? values.map(String).sort() : undefined
        return [variable.key, { default: initial, values: allowed, ...own.rest() }] as const
      })
      const part = {
        url: withoutLastSlashes(fields.takeText('url') ?? ''),
        variables: new Map(variables),
      }
      fields.take('name')
      return {
        ...part,
        defaultUrl: withoutLastSlashes(readServerUrl(each.value)),
        ...fields.rest(),
      }
    })
  }
}

/** Returns what identifies a parameter; names of headers have no case. */
export function toParameterKey({ location, name }: Parameter): string {
  return `${location} ${location === 'header' ? name.toLowerCase() : name}`
}

function readDeprecation(fields: Fields): Deprecation {
  return {
    isDeprecated: fields.takeFlag('deprecated'),
    since: fields.take('x-deprecated-at').value,
    sunset: fields.takeText('x-sunset'),
    replacement: fields.takeObject('x-replaced-by'),
  }
}

/** Reads how a value is written, with the defaults of OpenAPI. */
function readForm(fields: Fields, usual: string): JsonObject {
  const style = fields.takeText('style') ?? usual
  const { value: explode = style === 'form' || style === 'cookie' } = fields.take('explode')
  return {
    style,
    explode,
    allowReserved: fields.takeFlag('allowReserved'),
    allowEmptyValue: fields.takeFlag('allowEmptyValue'),
  }
}

function prefix(keywords: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(keywords).map(([key, value]) => [`path ${key}`, value]))
}

function withoutLastSlashes(url: string): string {
  let end = url.length
  while (end > 1 && url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}
