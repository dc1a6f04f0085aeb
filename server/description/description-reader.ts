import { isWithoutContent, readContent } from './content-reader.ts'
import type {
  Body,
  Deprecation,
  Description,
  DescriptionPart,
  Header,
  Operation,
  Parameter,
  Response,
  ValueForm,
} from './description.ts'
import { type Documents, isOnOtherHost, toDocuments } from './documents.ts'
import { type Entry, entriesOf, Fields } from './fields.ts'
import { type JsonObject, toList } from './json.ts'
import { type Located, toKey } from './location.ts'
import { normalise } from './normalise.ts'
import { allMethods, codeNameKey, operationEntries, otherOperationsKey } from './operations.ts'
import { readPagination } from './pagination.ts'
import { isIgnoredHeader, isUsuallyExploded, usualStyle } from './parameter-form.ts'
import { readSecurity, readSecuritySchemes, type Security } from './security.ts'
import { readServers, type Server } from './servers.ts'

/** Keys that complete a description; what they add is read with the operations that have it. */
const completingKeys = ['x-common', 'x-platform', 'x-service']

/** Reads a description; throws, with the place, where a reference leads nowhere. */
export function readDescription(documents: Documents): Description {
  return new DescriptionReader(documents).read()
}

/** Reads a description that is one document, such as `generated/openapi.json`, as OpenAPI 3.1 would write it. */
export function readBundled(root: JsonObject): Description {
  return readDescription(toDocuments(normalise(root)))
}

/** What operations have of the description, or of their path, unless they state it themselves. */
interface Inherited {
  readonly security: Security
  readonly servers: readonly Server[]
  readonly hasOwnServers: boolean
  readonly parameters: readonly Parameter[]
}

class DescriptionReader {
  readonly #documents: Documents
  /** The path items that are being read. */
  readonly #open = new Set<string>()

  constructor(documents: Documents) {
    this.#documents = documents
  }

  read(): Description {
    const fields = new Fields(this.#documents.root)
    const version = fields.takeText('openapi') ?? ''
    for (const key of ['$self', ...completingKeys]) {
      fields.take(key)
    }
    const info = new Fields(fields.take('info'))
    const apiVersion = info.takeText('version') ?? ''
    const inherited = {
      security: readSecurity(fields.take('security'), true),
      servers: readServers(fields.take('servers')),
      hasOwnServers: false,
      parameters: [],
    }
    const paths = fields.take('paths')
    const components = this.#readComponents(fields.takeEntries('components'))
    return {
      documents: this.#documents,
      version,
      apiVersion,
      info: info.rest(),
      tags: fields.takeEntries('tags').map(readTag),
      servers: inherited.servers,
      security: inherited.security,
      securitySchemes: readSecuritySchemes(components.get('securitySchemes'), this.#documents),
      operations: this.#readPaths(paths, inherited),
      webhooks: this.#readPaths(fields.take('webhooks'), inherited),
      undeclared: this.#readResponses(fields.take('x-undeclared-operations')),
      malformed: this.#readMalformed(fields.take('x-framing-response')),
      components,
      root: this.#withExtensions(fields.rest(), paths),
    }
  }

  /** Returns what a reference leads to. What another host has is not read: it is empty. */
  #follow(node: Located): Located {
    const target = this.#documents.tryTarget(node)
    return isOnOtherHost(target) ? { ...target, value: {} } : this.#documents.follow(node)
  }

  /** Returns the components of the platform and of the description. Of two with one name, that of the description wins. */
  #readComponents(ofDescription: readonly Entry[]): Description['components'] {
    const { platform } = this.#documents
    const ofPlatform = platform === undefined ? [] : new Fields(platform).takeEntries('components')
    const components = new Map<string, Map<string, Located>>()
    for (const kind of [...ofPlatform, ...ofDescription]) {
      const ofKind = components.getOrInsertComputed(kind.key, () => new Map<string, Located>())
      for (const component of entriesOf(kind)) {
        ofKind.set(component.key, component)
      }
    }
    return components
  }

  #readPaths(paths: Located, inherited: Inherited): readonly Operation[] {
    return entriesOf(paths).flatMap((item) => this.#readPathItem(item, item.key, inherited))
  }

  #readPathItem(node: Located, path: string, inherited: Inherited): readonly Operation[] {
    const isExtension = path.startsWith('x-')
    if (isExtension || isOnOtherHost(node)) {
      return []
    }

    const item = this.#follow(node)
    const key = toKey(item)
    // A callback that has itself as a callback is compared once.
    if (this.#open.has(key)) {
      return []
    }
    this.#open.add(key)
    const operations = this.#readOperations(item, path, inherited)
    this.#open.delete(key)
    return operations
  }

  #readOperations(item: Located, path: string, inherited: Inherited): readonly Operation[] {
    const fields = new Fields(item)
    const servers = fields.take('servers')
    const hasServers = servers.value !== undefined
    const ofPath = {
      ...inherited,
      parameters: this.#readParameters(fields.take('parameters')),
      ...(hasServers && { servers: readServers(servers), hasOwnServers: true }),
    }
    const operations = operationEntries(item)
    for (const key of [...allMethods, otherOperationsKey]) {
      fields.take(key)
    }
    // What a path says, it says of each of its operations.
    const { texts, examples: _, others } = fields.rest()
    return operations.map((entry) => {
      const operation = this.#readOperation(entry, path, ofPath)
      return {
        ...operation,
        texts: { ...prefix(texts), ...operation.texts },
        others: { ...prefix(others), ...operation.others },
      }
    })
  }

  #readOperation(node: Entry, path: string, inherited: Inherited): Operation {
    const fields = new Fields(this.#follow(node))
    const method = node.key
    const security = fields.take('security')
    const servers = fields.take('servers')
    const pagination = readPagination(fields)
    const parameters = this.#readParameters(fields.take('parameters'))
    const body = fields.take('requestBody')
    const responses = fields.take('responses')
    const callbacks = fields.takeEntries('callbacks')
    return {
      name: `${method} ${path}`,
      method,
      path,
      operationId: fields.takeText('operationId'),
      codeName: fields.takeText(codeNameKey),
      tags: toList(fields.take('tags').value).map(String),
      deprecation: readDeprecation(fields),
      pagination,
      security: security.value === undefined ? inherited.security : readSecurity(security, false),
      servers: servers.value === undefined ? inherited.servers : readServers(servers),
      hasOwnServers: servers.value !== undefined || inherited.hasOwnServers,
      parameters: withInherited(parameters, inherited.parameters),
      body: body.value === undefined ? undefined : this.#readBody(body),
      responses: this.#readResponses(responses),
      callbacks: callbacks.flatMap((callback) => this.#readCallback(callback, inherited)),
      ...this.#withExtensions(fields.rest(), responses),
    }
  }

  #readCallback(callback: Entry, inherited: Inherited): readonly Operation[] {
    // A callback is sent to the URL of its expression, not to a server.
    const ofCallback = { ...inherited, hasOwnServers: false, parameters: [] }
    return entriesOf(this.#follow(callback)).flatMap((item) =>
      this.#readPathItem(item, `${callback.key} ${item.key}`, ofCallback),
    )
  }

  /** Adds the extensions of a map, such as `responses`, whose other keys are names. */
  #withExtensions(part: DescriptionPart, map: Located): DescriptionPart {
    const extensions = entriesOf(this.#follow(map)).filter(({ key }) => key.startsWith('x-'))
    const added = extensions.map(({ key, value }) => [key, value] as const)
    return { ...part, others: { ...part.others, ...Object.fromEntries(added) } }
  }

  #readParameters(node: Located): readonly Parameter[] {
    const parameters = entriesOf(node).map((entry) => {
      const fields = new Fields(this.#follow(entry))
      const location = fields.takeText('in') ?? ''
      const name = fields.takeText('name') ?? ''
      return {
        entry,
        name,
        location,
        isRequired: fields.takeFlag('required') || location === 'path',
        deprecation: readDeprecation(fields),
        form: readForm(fields, usualStyle(location)),
        ...this.#readValue(fields),
        ...fields.rest(),
      }
    })
    // A parameter on another host has no name.
    return parameters.filter(({ location, name }) => {
      return name !== '' && !isIgnoredHeader(location, name)
    })
  }

  #readValue(fields: Fields) {
    const schema = fields.take('schema')
    return {
      schema: schema.value === undefined ? undefined : schema,
      content: readContent(fields.take('content'), this.#documents),
    }
  }

  #readBody(node: Located): Body {
    const fields = new Fields(this.#follow(node))
    const { value: maxBytes } = fields.take('x-max-bytes')
    return {
      isRequired: fields.takeFlag('required'),
      maxBytes: typeof maxBytes === 'number' ? maxBytes : undefined,
      content: readContent(fields.take('content'), this.#documents),
      ...fields.rest(),
    }
  }

  /** Returns the response to bytes that are no HTTP request; undefined if there is none. */
  #readMalformed(node: Entry): Response | undefined {
    if (node.value === undefined) {
      return undefined
    }
    return this.#readResponse({ ...node, key: 'malformed' }, false)
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
    const fields = new Fields(this.#follow(this.#documents.originalOf(entry)))
    const content = readContent(fields.take('content'), this.#documents)
    return {
      entry: this.#documents.originOf(entry),
      status: entry.key.toUpperCase().replace('DEFAULT', 'default'),
      isSuccess,
      headers: this.#readHeaders(fields.take('headers')),
      content: isWithoutContent(entry.key) ? [] : content,
      links: fields.take('links').value,
      ...fields.rest(),
    }
  }

  #readHeaders(node: Located): readonly Header[] {
    // OpenAPI ignores this header: its values are the media types of the content.
    const entries = entriesOf(node).filter(({ key }) => key.toLowerCase() !== 'content-type')
    return entries.map((each) => {
      const fields = new Fields(this.#follow(each))
      return {
        entry: this.#documents.originOf(each),
        name: each.key,
        isRequired: fields.takeFlag('required'),
        deprecation: readDeprecation(fields),
        form: readForm(fields, 'simple'),
        ...this.#readValue(fields),
        ...fields.rest(),
      }
    })
  }
}

/** Returns what identifies a parameter; names of headers have no case. */
export function toParameterKey({ location, name }: Parameter): string {
  return `${location} ${location === 'header' ? name.toLowerCase() : name}`
}

/** Returns the parameters of an operation, and those of its path that it does not replace. */
function withInherited(ofOperation: readonly Parameter[], ofPath: readonly Parameter[]) {
  const keys = new Set(ofOperation.map(toParameterKey))
  const inherited = ofPath.filter((parameter) => !keys.has(toParameterKey(parameter)))
  return [...ofOperation, ...inherited]
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
function readForm(fields: Fields, usual: string): ValueForm {
  const style = fields.takeText('style') ?? usual
  const { value: explode } = fields.take('explode')
  const isExploded = isUsuallyExploded(style)
  return {
    style,
    explode: typeof explode === 'boolean' ? explode : isExploded,
    allowReserved: fields.takeFlag('allowReserved'),
    allowEmptyValue: fields.takeFlag('allowEmptyValue'),
  }
}

/** Marks the keywords of a path, apart from those of its operations. */
function prefix(keywords: JsonObject): JsonObject {
  const marked = Object.entries(keywords).map(([key, value]) => [`path ${key}`, value])
  return Object.fromEntries(marked)
}

function readTag(node: Located) {
  const fields = new Fields(node)
  return { name: fields.takeText('name') ?? '', ...fields.rest() }
}
