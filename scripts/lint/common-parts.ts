import { dirname, resolve } from 'node:path'
import type { Located, Location } from '../model/location.ts'
import { isObject, type JsonObject, toChild, toList, toObject } from '../pipeline/description.ts'
import { methods } from '../pipeline/operation-entries.ts'
import type { PlatformFile } from './platform-file.ts'

/** A value of a description, the file that holds it and, if a reference led to it, its JSON Pointer there. */
export interface Placed {
  readonly node: unknown
  readonly file: string
  readonly pointer?: string | undefined
}

/** Returns the target of a reference, or the value itself where it is no reference. */
export type Follow = (value: Placed) => Placed

/** The extension of the root object that declares what every operation has in common. */
export const commonKey = 'x-common'
/** The key under which a description refers to what the platform adds to it. */
export const platformKey = 'x-platform'

const undeclaredKey = 'x-undeclared-operations'
const framingKey = 'x-framing-response'

/** The groups of `x-common` with responses, and those with headers that not every response has. */
type ResponseGroup = 'responses' | 'requestBodyResponses' | 'idempotencyKeyResponses'
type HeaderGroup = 'deprecationHeaders' | 'idempotencyKeyHeaders'
type Group = ResponseGroup | HeaderGroup | 'headers'

/** Where the values come from that were added to a description. */
export interface Additions {
  /** Where an added value is declared. */
  readonly origins: ReadonlyMap<unknown, Location>
  /** The response that a copy was made of. */
  readonly copied: ReadonlyMap<unknown, Location>
}

/** A response by its status, in the file that lists it. */
interface Entry {
  readonly responses: JsonObject
  readonly status: string
  readonly file: string
  /** The groups of headers that it has beside those of every response. */
  readonly groups: readonly HeaderGroup[]
}

/**
 * Adds the headers and responses of `x-common`, its own and that of the platform, to a description, in
 * place. A part keeps what it declares itself, so that a description may be passed again.
 */
export function addCommonParts(
  root: JsonObject,
  file: string,
  follow: Follow,
  platform?: PlatformFile,
): Additions {
  const parts = new CommonParts(root, file, follow, platform)
  if (commonKey in root || platform !== undefined) parts.add()
  return parts
}

class CommonParts implements Additions {
  readonly origins = new Map<unknown, Location>()
  readonly copied = new Map<unknown, Location>()
  readonly #root: JsonObject
  readonly #file: string
  readonly #follow: Follow
  readonly #platform: PlatformFile | undefined

  constructor(root: JsonObject, file: string, follow: Follow, platform: PlatformFile | undefined) {
    this.#root = root
    this.#file = file
    this.#follow = follow
    this.#platform = platform
  }

  add(): void {
    this.#addToRoot()

    const undeclared = toObject(this.#root[undeclaredKey])
    const sent = entriesOf(undeclared, this.#file)
    for (const found of operationsIn(this.#root, this.#file, this.#follow)) {
      sent.push(...this.#addResponses(found))
    }

    const shared = this.#findShared(sent)
    // A description may have no operation to which some of them are added.
    for (const entry of [...sent, ...this.#ownCommonResponses()]) {
      this.#addHeaders(entry, shared)
    }
  }

  /** Adds the responses to requests that match no operation, or are not valid HTTP. */
  #addToRoot(): void {
    if (this.#platform === undefined) return
    const { file, root } = this.#platform

    // So that nothing of the platform gets lost in a bundle, and the linter reads what the description has of it.
    const inherited = [undeclaredKey, framingKey].filter((key) => !(key in this.#root))
    const references = [commonKey, ...inherited].map(
      (key) => [key, { $ref: `${file}#/${key}` }] as const,
    )

    const undeclared = { ...toObject(this.#root[undeclaredKey]) }
    for (const [status, value] of Object.entries(toObject(root[undeclaredKey]))) {
      const pointer = toChild(`#/${undeclaredKey}`, status)
      undeclared[status] ??= this.#toAdded({ value, file, pointer }, this.#file)
    }

    const framing = { value: root[framingKey], file, pointer: `#/${framingKey}` }
    Object.assign(this.#root, {
      [undeclaredKey]: undeclared,
      [framingKey]: this.#root[framingKey] ?? this.#toAdded(framing, this.#file),
      [platformKey]: Object.fromEntries(references),
    })
  }

  /** Adds the responses that an operation does not declare itself; returns all of them. */
  #addResponses({ pathItem, operation, file }: FoundOperation): readonly Entry[] {
    if (operation['responses'] === undefined) Object.assign(operation, { responses: {} })
    const { node: responses, file: holder } = this.#follow({ node: operation['responses'], file })
    if (!isObject(responses)) return []

    const hasKey = hasIdempotencyKey([pathItem, { node: operation, file }], this.#follow)
    const concerning: ResponseGroup[] = ['responses']
    if (operation['requestBody'] !== undefined) concerning.push('requestBodyResponses')
    if (hasKey) concerning.push('idempotencyKeyResponses')
    for (const [status, each] of this.#common(concerning)) {
      if (status in responses) continue
      Object.assign(responses, { [status]: this.#toAdded(each, holder) })
    }

    const isDeprecated = operation['deprecated'] === true
    return entriesOf(responses, holder).map((entry) => {
      const groups: HeaderGroup[] = isDeprecated ? ['deprecationHeaders'] : []
      if (hasKey && entry.status.startsWith('2')) groups.push('idempotencyKeyHeaders')
      return { ...entry, groups }
    })
  }

  /** Returns the responses to which some operations need other headers added than others. */
  #findShared(entries: readonly Entry[]): ReadonlySet<unknown> {
    const groupsByResponse = new Map<unknown, Set<string>>()
    for (const { responses, status, file, groups } of entries) {
      const { node } = this.#follow({ node: responses[status], file })
      const known = groupsByResponse.get(node) ?? new Set()
      groupsByResponse.set(node, known.add(groups.join()))
    }
    const shared = [...groupsByResponse].filter(([, groups]) => groups.size > 1)
    return new Set(shared.map(([node]) => node))
  }

  /** Adds the headers that a response does not declare itself, to a copy where others have it without them. */
  #addHeaders({ responses, status, file, groups }: Entry, shared: ReadonlySet<unknown>): void {
    const given = { node: responses[status], file }
    const target = this.#follow(given)
    if (!isObject(target.node)) return

    const own = toObject(target.node['headers'])
    const isMissing = ([name]: readonly [string, Located]) => !(name in own)
    const ofAll = [...this.#common(['headers'])].filter(isMissing)
    const ofSome = [...this.#common(groups)].filter(isMissing)
    if (ofAll.length + ofSome.length === 0) return

    const isOfPlatform = target.file === this.#platform?.file
    const isForOthers = shared.has(target.node) && groups.length > 0
    const isCopied = isOfPlatform || isForOthers
    const response = isCopied ? this.#copy(target, given) : target.node
    const holder = isCopied ? undefined : target.file
    const toHeaders = (declared: readonly (readonly [string, Located])[]) =>
      declared.map(([name, each]) => [name, this.#toAdded(each, holder)] as const)

    const { description, headers, ...others } = response
    const all = Object.fromEntries([
      ...toHeaders(ofAll),
      ...Object.entries(toObject(headers)),
      ...toHeaders(ofSome),
    ])
    const head = 'description' in response && { description }
    replaceContent(response, { ...head, headers: all, ...others })
    if (isCopied) Object.assign(responses, { [status]: response })
  }

  /**
   * Returns a response that shares its parts with another one by references, so that findings in them stay
   * where they are written.
   */
  #copy({ node, file, pointer }: Placed, given: Placed): JsonObject {
    const { headers, content, ...others } = toObject(node)
    // Two operations have one response without a reference by an alias of YAML.
    if (pointer === undefined) return structuredClone(toObject(node))

    const start = `${file}${pointer}`
    const references = Object.keys(toObject(headers)).map(
      (name) => [name, { $ref: toChild(`${start}/headers`, name) }] as const,
    )
    const { $ref: _, ...beside } = toObject(given.node)
    const copy = {
      ...structuredClone(others),
      headers: Object.fromEntries(references),
      ...(content !== undefined && { content: { $ref: `${start}/content` } }),
      ...beside,
    }
    this.copied.set(copy, { file, pointer })
    const origin = this.origins.get(given.node)
    if (origin !== undefined) this.origins.set(copy, origin)
    return copy
  }

  /** Returns the responses that the description's own `x-common` has for operations. */
  #ownCommonResponses(): readonly Entry[] {
    const own = toObject(this.#root[commonKey])
    const groups: ResponseGroup[] = ['responses', 'requestBodyResponses', 'idempotencyKeyResponses']
    return groups.flatMap((group) => entriesOf(toObject(own[group]), this.#file))
  }

  /** Returns what the platform and the description have in groups of `x-common`; that of the description wins. */
  #common(groups: readonly Group[]): ReadonlyMap<string, Located> {
    const own = { file: this.#file, root: this.#root }
    const layers = this.#platform === undefined ? [own] : [this.#platform, own]
    const entries = layers.flatMap((layer) => groups.flatMap((group) => commonOf(layer, group)))
    return new Map(entries)
  }

  /** Returns a declared value as another file must write it; any file may write it if none is given. */
  #toAdded({ value, file, pointer }: Located, holder: string | undefined): unknown {
    const added = structuredClone(value)
    const { $ref } = toObject(added)
    if (typeof $ref === 'string' && holder !== file && !URL.canParse($ref)) {
      const [uri = '', fragment = ''] = $ref.split('#')
      const target = uri === '' ? file : resolve(dirname(file), uri)
      Object.assign(toObject(added), { $ref: `${target}#${fragment}` })
    }
    this.origins.set(added, { file, pointer })
    return added
  }
}

/** Returns the entries of a group of the `x-common` that a file has, with their locations. */
function commonOf({ file, root }: PlatformFile, group: Group): (readonly [string, Located])[] {
  const entries = toObject(toObject(root[commonKey])[group])
  return Object.entries(entries).map(([key, value]) => {
    const pointer = toChild(`#/${commonKey}/${group}`, key)
    return [key, { value, file, pointer }] as const
  })
}

function entriesOf(responses: JsonObject, file: string): Entry[] {
  return Object.keys(responses).map((status) => ({ responses, status, file, groups: [] }))
}

/** An operation, with the path item and the file that hold it. */
interface FoundOperation {
  readonly pathItem: Placed
  readonly operation: JsonObject
  readonly file: string
}

/** Returns the operations that clients may call; those of callbacks and webhooks are the clients' own. */
export function* operationsIn(
  root: JsonObject,
  file: string,
  follow: Follow,
): Generator<FoundOperation> {
  for (const node of Object.values(toObject(root['paths']))) {
    const pathItem = follow({ node, file })
    for (const [method, operation] of Object.entries(toObject(pathItem.node))) {
      if (!methods.includes(method) || !isObject(operation)) continue
      yield { pathItem, operation, file: pathItem.file }
    }
  }
}

/** Returns whether an operation, or its path, has the parameter `Idempotency-Key`. */
function hasIdempotencyKey(declaring: readonly Placed[], follow: Follow): boolean {
  return declaring.some(({ node, file }) =>
    toList(toObject(node)['parameters']).some((parameter) => {
      const { name, in: where } = toObject(follow({ node: parameter, file }).node)
      return where === 'header' && String(name).toLowerCase() === 'idempotency-key'
    }),
  )
}

function replaceContent(node: JsonObject, content: JsonObject): void {
  for (const key of Object.keys(node)) Reflect.deleteProperty(node, key)
  Object.assign(node, content)
}
