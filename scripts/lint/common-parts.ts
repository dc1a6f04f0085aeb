import { locationOf } from '../../server/description/documents.ts'
import { childOf } from '../../server/description/fields.ts'
import { isObject, type JsonObject, toObject } from '../../server/description/json.ts'
import type { Located, Location } from '../../server/description/location.ts'
import { toChild } from '../../server/description/pointer.ts'
import { type CalledOperation, type Follow, operationsIn } from './called-operations.ts'
import {
  commonKey,
  errorHeadersOf,
  type Group,
  groupsOf,
  type HeaderGroup,
  readCommon,
  responseGroups,
} from './common-groups.ts'
import { addErrorCodes } from './error-codes.ts'
import { readErrorSettings } from './error-settings.ts'
import { requiresScopes, scopeResponsesKey, unservedResponsesKey } from './fitting-parts.ts'
import { FormattedResponses } from './formatted-responses.ts'
import type { PlatformFile } from './platform-file.ts'

/** The key under which a description refers to what the platform adds to it. */
export const platformKey = 'x-platform'

const undeclaredKey = 'x-undeclared-operations'
const framingKey = 'x-framing-response'

/** Where the values come from that were added to a description. */
export interface Additions {
  /** Where an added value is declared. */
  readonly origins: ReadonlyMap<unknown, Location>
  /** The response that a copy was made of. */
  readonly copied: ReadonlyMap<unknown, Location>
}

/** A response in a list of responses. */
interface ListedResponse {
  readonly list: Located
  readonly status: string
  /** The groups of headers that concern it, beside those of every response. */
  readonly groups: readonly HeaderGroup[]
}

/** Headers that a response does not declare itself, by name. */
interface MissingHeaders {
  readonly ofEveryResponse: readonly (readonly [string, Located])[]
  readonly ofSomeResponses: readonly (readonly [string, Located])[]
}

/**
 * Adds the headers and responses of `x-common`, its own and that of the platform, and the platform's codes of
 * errors to a description, in place. A part keeps what it declares itself, so that a description may be
 * passed again. `unserved` are the names of the operations that the service does not serve.
 */
export function addCommonParts(
  root: JsonObject,
  file: string,
  follow: Follow,
  platform?: PlatformFile,
  unserved: ReadonlySet<string> = new Set(),
): Additions {
  const parts = new CommonParts(root, file, follow, platform, unserved)
  if (platform !== undefined) {
    addErrorCodes(root, file, follow, platform)
  }
  if (commonKey in root || platform !== undefined) {
    parts.add()
  }
  return parts
}

/** The components of descriptions that are responses of the platform in their format. */
const addedResponses = new WeakSet<object>()

class CommonParts implements Additions {
  readonly origins = new Map<unknown, Location>()
  readonly copied = new Map<unknown, Location>()
  readonly #root: JsonObject
  readonly #file: string
  readonly #follow: Follow
  readonly #platform: PlatformFile | undefined
  readonly #unserved: ReadonlySet<string>
  readonly #formatted: FormattedResponses | undefined

  constructor(
    root: JsonObject,
    file: string,
    follow: Follow,
    platform: PlatformFile | undefined,
    unserved: ReadonlySet<string>,
  ) {
    this.#root = root
    this.#file = file
    this.#follow = follow
    this.#platform = platform
    this.#unserved = unserved
    const settings = platform && readErrorSettings(file)
    this.#formatted = settings && new FormattedResponses(settings, { file, root }, platform, follow)
  }

  add(): void {
    this.#addToRoot()

    const undeclared = childOf({ file: this.#file, pointer: '#', value: this.#root }, undeclaredKey)
    const responses = listResponses(undeclared).map((response) => {
      return { ...response, groups: this.#errorHeadersOf(response.status, false) }
    })
    for (const called of operationsIn(this.#root, this.#file, this.#follow)) {
      responses.push(...this.#addResponses(called))
    }

    const shared = this.#findShared(responses)
    // A common response of the description needs its headers even if it is added to no operation.
    for (const response of [...responses, ...this.#ownCommonResponses()]) {
      this.#addHeaders(response, shared)
    }
  }

  /** Adds the responses to requests that match no operation, or are not valid HTTP. */
  #addToRoot(): void {
    if (this.#platform === undefined) {
      return
    }

    const { file, root } = this.#platform
    // References keep the platform's parts in a bundle, and let the linter read what the description has of them.
    const inheritedKeys = [undeclaredKey, framingKey].filter((key) => !(key in this.#root))
    const keysForSome = [scopeResponsesKey, unservedResponsesKey].filter((key) => key in root)
    const references = [commonKey, ...inheritedKeys, ...keysForSome].map(
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
  #addResponses(called: CalledOperation): readonly ListedResponse[] {
    const { operation } = called
    if (operation['responses'] === undefined) {
      Object.assign(operation, { responses: {} })
    }
    const declared = this.#follow(childOf(called.node, 'responses'))
    if (!isObject(declared.value)) {
      return []
    }

    const list = declared.value
    const groups = groupsOf(called, this.#follow)
    const isScoped = requiresScopes(operation, this.#root['security'])
    const isUnserved = this.#unserved.has(called.name)
    const commonResponses = [
      ...this.#common(groups.responses),
      ...(isScoped ? this.#platformResponses(scopeResponsesKey) : []),
      ...(isUnserved ? this.#platformResponses(unservedResponsesKey) : []),
    ]
    for (const [status, response] of commonResponses) {
      if (!isDeclared(status, list)) {
        Object.assign(list, { [status]: this.#toAdded(response, declared.file) })
      }
    }

    return listResponses(declared).map((response) => {
      const { status } = response
      const isSuccess = status.startsWith('2')
      const usualGroups = isSuccess ? groups.headersOfSuccess : groups.headersOfErrors

      const isForbidden = isScoped && status === '403'
      const scopeGroups: HeaderGroup[] = isForbidden ? ['forbiddenHeaders'] : []

      const isOnlyDefault = status === 'default' && !hasSuccess(list)
      const errorGroups = isOnlyDefault ? [] : this.#errorHeadersOf(status, groups.hasKey)
      return { ...response, groups: [...usualGroups, ...scopeGroups, ...errorGroups] }
    })
  }

  /** Returns the groups of headers of an error response that have some. */
  #errorHeadersOf(status: string, hasKey: boolean): readonly HeaderGroup[] {
    const groups = errorHeadersOf(status, hasKey)
    return groups.filter((group) => this.#common([group]).size > 0)
  }

  /** Returns the responses that the platform has for some operations, under an extension of its root. */
  #platformResponses(key: string): readonly (readonly [status: string, response: Located])[] {
    const { file = '', root = {} } = this.#platform ?? {}
    return Object.entries(toObject(root[key])).map(([status, value]) => {
      return [status, { value, file, pointer: toChild(`#/${key}`, status) }] as const
    })
  }

  /** Returns the responses to which some operations need other headers added than others. */
  #findShared(responses: readonly ListedResponse[]): ReadonlySet<unknown> {
    const groupsByResponse = new Map<unknown, Set<string>>()
    for (const response of responses) {
      const { value } = this.#follow(listedAt(response))
      const groupsOfResponse = groupsByResponse.getOrInsertComputed(value, () => new Set())
      groupsOfResponse.add(response.groups.join())
    }
    const shared = [...groupsByResponse].filter(([, groups]) => groups.size > 1)
    return new Set(shared.map(([value]) => value))
  }

  /** Adds the headers that a response does not declare itself, to a copy where others have it without them. */
  #addHeaders(response: ListedResponse, shared: ReadonlySet<unknown>): void {
    const { list, status, groups } = response
    const listed = listedAt(response)
    const written = this.#follow(listed)
    if (!isObject(written.value)) {
      return
    }

    const missing = this.#findMissingHeaders(written.value, groups)
    if (missing.ofEveryResponse.length + missing.ofSomeResponses.length === 0) {
      return
    }

    const isOfPlatform = written.file === this.#platform?.file
    const isForOthers = shared.has(written.value) && groups.length > 0
    if (!isOfPlatform && !isForOthers) {
      this.#writeHeaders(written.value, written.file, missing)
      return
    }

    // A copy is written in one file and read as a part of another, so that its references name their files.
    const copy = this.#copy(written, listed)
    this.#writeHeaders(copy, undefined, missing)
    Object.assign(toObject(list.value), { [status]: copy })
  }

  #findMissingHeaders(response: JsonObject, groups: readonly HeaderGroup[]): MissingHeaders {
    const declared = toObject(response['headers'])
    const findMissing = (fromGroups: readonly Group[]) =>
      [...this.#common(fromGroups)].filter(([name]) => !(name in declared))
    return { ofEveryResponse: findMissing(['headers']), ofSomeResponses: findMissing(groups) }
  }

  /** Writes missing headers into a response: those of every response before its own, the others after them. */
  #writeHeaders(response: JsonObject, file: string | undefined, missing: MissingHeaders): void {
    const toAdded = ([name, header]: readonly [string, Located]) =>
      [name, this.#toAdded(header, file)] as const

    const headers = Object.fromEntries([
      ...missing.ofEveryResponse.map(toAdded),
      ...Object.entries(toObject(response['headers'])),
      ...missing.ofSomeResponses.map(toAdded),
    ])
    const { description, headers: _, ...otherFields } = response
    const firstField = 'description' in response && { description }
    replaceContent(response, { ...firstField, headers, ...otherFields })
  }

  /**
   * Returns a response that shares its parts with another one by references, so that findings in them stay
   * where they are written.
   */
  #copy(written: Located, listed: Located): JsonObject {
    const { file, pointer, value } = written
    // Two operations have one response without a reference by an alias of YAML.
    if (written === listed) {
      return structuredClone(toObject(value))
    }

    const { headers, content, ...otherFields } = toObject(value)
    const reference = `${file}${pointer}`
    const headerReferences = Object.keys(toObject(headers)).map(
      (name) => [name, { $ref: toChild(`${reference}/headers`, name) }] as const,
    )
    const { $ref: _, ...besideReference } = toObject(listed.value)
    const copy = {
      ...structuredClone(otherFields),
      headers: Object.fromEntries(headerReferences),
      ...(content !== undefined && { content: { $ref: `${reference}/content` } }),
      ...besideReference,
    }

    this.copied.set(copy, { file, pointer })
    const origin = this.origins.get(listed.value)
    if (origin !== undefined) {
      this.origins.set(copy, origin)
    }
    return copy
  }

  /** Returns the responses that the description's own `x-common` has for operations. */
  #ownCommonResponses(): readonly ListedResponse[] {
    const common = toObject(this.#root[commonKey])
    return responseGroups.flatMap((group) => {
      const pointer = `#/${commonKey}/${group}`
      return listResponses({ file: this.#file, pointer, value: common[group] })
    })
  }

  /** Returns what the platform and the description have in groups of `x-common`; that of the description wins. */
  #common(groups: readonly Group[]): ReadonlyMap<string, Located> {
    const description = { file: this.#file, root: this.#root }
    const files = this.#platform === undefined ? [description] : [this.#platform, description]
    return readCommon(files, groups)
  }

  /** Returns a declared value as it must be written in a file; in any file, if none is given. */
  #toAdded({ value, file, pointer }: Located, writtenIn: string | undefined): unknown {
    const added = structuredClone(value)
    const formatted = this.#toFormatted(added)
    if (formatted !== undefined) {
      const reference = { $ref: writtenIn === this.#file ? formatted : `${this.#file}${formatted}` }
      this.origins.set(reference, { file, pointer })
      return reference
    }

    const { $ref } = toObject(added)
    const target = typeof $ref === 'string' ? locationOf($ref, file) : undefined
    if (target !== undefined && writtenIn !== file) {
      Object.assign(toObject(added), { $ref: `${target.file}${target.pointer}` })
    }
    this.origins.set(added, { file, pointer })
    return added
  }

  /**
   * Gives the description the response of the platform that a reference leads to, in the format of its errors;
   * returns the pointer to it. Undefined if there is no such format, or for anything else.
   */
  #toFormatted(added: unknown): string | undefined {
    const { $ref } = toObject(added)
    const [, name] = /^#\/components\/responses\/([^/]+)$/.exec(String($ref)) ?? []
    const response = name === undefined ? undefined : this.#formatted?.format(name)
    if (name === undefined || response === undefined) {
      return undefined
    }

    const components = toObject(this.#root['components'])
    const responses = toObject(components['responses'])
    const isFree = !(name in responses) || addedResponses.has(toObject(responses[name]))
    const ownName = isFree ? name : `Platform${name}`
    // A description may be passed again.
    if (!(ownName in responses)) {
      addedResponses.add(response)
      this.origins.set(response, {
        file: this.#platform?.file ?? '',
        pointer: `#/components/responses/${name}`,
      })
      const added = { ...components, responses: { ...responses, [ownName]: response } }
      Object.assign(this.#root, { components: added })
    }
    return `#/components/responses/${ownName}`
  }
}

/** Returns whether a list of responses has one for a status: by itself, by its range, or by `default`. */
function isDeclared(status: string, list: JsonObject): boolean {
  const range = `${status.charAt(0)}xx`
  const names = Object.keys(list).map((name) => name.toLowerCase())
  // Where no other response is a success, `default` is one.
  const isOfDefault = names.includes('default') && hasSuccess(list)
  return names.includes(status) || names.includes(range) || isOfDefault
}

function hasSuccess(list: JsonObject): boolean {
  return Object.keys(list).some((name) => /^[123]/.test(name))
}

function listResponses(list: Located): ListedResponse[] {
  return Object.keys(toObject(list.value)).map((status) => ({ list, status, groups: [] }))
}

function listedAt({ list, status }: ListedResponse): Located {
  return childOf(list, status)
}

function replaceContent(node: JsonObject, content: JsonObject): void {
  for (const key of Object.keys(node)) {
    Reflect.deleteProperty(node, key)
  }
  Object.assign(node, content)
}
