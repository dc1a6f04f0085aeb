import { dirname, resolve } from 'node:path'
import { isObject, type JsonObject, memberOf, toObject } from './json.ts'
import type { Located, Location } from './location.ts'
import { decodeIfValid, toChild, valueAt } from './pointer.ts'

/** Where the documents of a description come from, and how its errors are reported. */
interface DocumentSource {
  /** Returns the content of a document, whose name is what references lead to. */
  read(file: string): unknown
  /** Throws the error of a place in a description. */
  reject(at: Location, reason: string): never
  /** The document with what completes the description, if there is one. */
  readonly platform?: Located | undefined
  /** Returns where a value is declared that completes the description; elsewhere than it stands. */
  originOf?(node: Located): Location
  /** Returns the response of which a response is a copy; itself if it is none. */
  originalOf?(node: Located): Located
}

/** Returns the documents of a description by their names, the first of which is `file`. */
export function openDocuments(file: string, byName: ReadonlyMap<string, unknown>): Documents {
  return new Documents(file, {
    read: (name) => byName.get(name),
    reject: ({ pointer }, reason) => {
      throw new Error(`${pointer} of the description ${reason}.`)
    },
  })
}

/** Returns the documents of a description that is one document, such as a bundled one. */
export function toDocuments(root: unknown): Documents {
  return openDocuments('', new Map([['', root]]))
}

/**
 * The documents of a description, between which references lead. A reference (`$ref`) is a URI reference
 * (RFC 3986) to a document, with a JSON Pointer (RFC 6901) or an `$anchor` as its fragment.
 */
export class Documents {
  /** The first document. */
  readonly file: string
  readonly #source: DocumentSource

  constructor(file: string, source: DocumentSource) {
    this.file = file
    this.#source = source
  }

  get platform(): Located | undefined {
    return this.#source.platform
  }

  /** Returns where a value is declared, which may be elsewhere than it stands. */
  originOf(node: Located): Location {
    return this.#source.originOf?.(node) ?? node
  }

  /** Returns the response of which a response is a copy; itself if it is none. */
  originalOf(node: Located): Located {
    return this.#source.originalOf?.(node) ?? node
  }

  get root(): Located {
    return this.at({ file: this.file, pointer: '#' })
  }

  /** Returns the value at a location, whose pointer may be `#name` for the schema with that `$anchor`. */
  at({ file, pointer }: Location): Located {
    const document = this.#source.read(file)
    if (isWhole(pointer)) {
      return { file, pointer, value: document }
    }

    const resolved = pointer.startsWith('#/') ? pointer : findAnchor(document, pointer.slice(1))
    const value = resolved === undefined ? undefined : valueAt(document, resolved)
    return { file, pointer: resolved ?? pointer, value }
  }

  /** Returns the value that keys lead to from the first document, through references, as far as there is one. */
  locate(keys: readonly string[]): Located {
    let node = this.root
    for (const key of keys) {
      const holder = this.tryFollow(node)
      const value = memberOf(holder.value, key)
      if (value === undefined) {
        break
      }
      node = { file: holder.file, pointer: toChild(holder.pointer, key), value }
    }
    return node
  }

  /** Throws the error of a place in the description. */
  reject(at: Location, reason: string): never {
    this.#source.reject(at, reason)
  }

  /** Returns what the `$ref` of a value names; undefined if it has none. Throws where it leads nowhere. */
  next(node: Located): Located | undefined {
    const { $ref } = toObject(node.value)
    if ($ref === undefined) {
      return undefined
    }
    if (typeof $ref !== 'string') {
      this.reject({ ...node, pointer: `${node.pointer}/$ref` }, 'is no text')
    }
    if (leadsToHost($ref)) {
      const advice = 'copy what it names into a file of the description'
      this.reject(node, `leads to another host with ${$ref}, which is not read; ${advice}`)
    }

    const target = this.tryNext(node)
    if (target !== undefined) {
      return target
    }
    this.reject(node, `leads nowhere with ${$ref}; correct it, or write what it names`)
  }

  /** Returns what the `$ref` of a value names; undefined if it has none, or if it leads nowhere. */
  tryNext({ file, value }: Located): Located | undefined {
    const { $ref } = toObject(value)
    const at = typeof $ref === 'string' ? locationOf($ref, file) : undefined
    const target = at && this.at(at)
    return target?.value === undefined ? undefined : target
  }

  /** Returns what a value refers to, through any number of references; the value itself if it has no `$ref`. */
  target(node: Located): Located {
    const passed = new Set<unknown>()
    let current = node
    for (let next = this.next(current); next !== undefined; next = this.next(current)) {
      if (passed.has(current.value)) {
        this.reject(node, 'refers to itself')
      }
      passed.add(current.value)
      current = next
    }
    return current
  }

  /** Returns a value with its `$ref` followed; keys beside the `$ref` win. Not for schemas, in which both apply. */
  follow(node: Located): Located {
    return withKeysBeside(node, this.target(node))
  }

  /** Returns a value of the first document with its `$ref` followed, as `tryFollow` does. */
  followValue(value: unknown): JsonObject {
    return toObject(this.tryFollow({ file: this.file, pointer: '#', value }).value)
  }

  /** As `target`, but a reference that leads nowhere, or to itself, is left. */
  tryTarget(node: Located): Located {
    const passed = new Set<unknown>()
    let current = node
    for (let next = this.tryNext(node); next !== undefined; next = this.tryNext(next)) {
      if (passed.has(next.value)) {
        return node
      }
      passed.add(next.value)
      current = next
    }
    return current
  }

  /** As `follow`, but a reference that leads nowhere, or to itself, is left. */
  tryFollow(node: Located): Located {
    return withKeysBeside(node, this.tryTarget(node))
  }
}

function withKeysBeside(node: Located, target: Located): Located {
  if (target === node) {
    return node
  }
  const { $ref: _, ...beside } = toObject(node.value)
  if (Object.keys(beside).length === 0) {
    return target
  }
  return { ...target, value: { ...toObject(target.value), ...beside } }
}

/** Returns what a reference in a document names; undefined if it leads to another host, which is not read. */
export function locationOf($ref: string, file: string): Location | undefined {
  if (leadsToHost($ref)) {
    return undefined
  }
  const [uri = '', fragment = ''] = $ref.split('#')
  const name = uri === '' ? file : resolve(dirname(file), decodeIfValid(uri))
  return { file: name, pointer: `#${fragment}` }
}

/** Returns the pointer to the schema that has an `$anchor`; undefined if none has. */
function findAnchor(node: unknown, name: string, pointer = '#'): string | undefined {
  if (memberOf(node, '$anchor') === name) {
    return pointer
  }
  if (!isObject(node) && !Array.isArray(node)) {
    return undefined
  }
  for (const [key, child] of Object.entries(node)) {
    const foundPointer = findAnchor(child, name, toChild(pointer, key))
    if (foundPointer !== undefined) {
      return foundPointer
    }
  }
  return undefined
}

/** Returns whether a value is a reference to another host, which is not read. */
export function isOnOtherHost({ value }: Pick<Located, 'value'>): boolean {
  const { $ref } = toObject(value)
  return typeof $ref === 'string' && leadsToHost($ref)
}

/** Returns whether a reference is an absolute URI, such as `https://example.org/tool.yaml`. */
export function leadsToHost($ref: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test($ref)
}

/** Returns whether a JSON Pointer is that of the whole document. */
function isWhole(pointer: string): boolean {
  return pointer === '#' || pointer === '#/'
}
