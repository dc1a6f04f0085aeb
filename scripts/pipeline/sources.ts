import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
} from 'yaml'
import type { Placed } from '../lint/called-operations.ts'
import { type Additions, addCommonParts } from '../lint/common-parts.ts'
import { findPlatformFile, type PlatformFile, referToOwnComponents } from '../lint/platform-file.ts'
import type { Located, Location } from '../model/location.ts'
import {
  isObject,
  type JsonObject,
  pointAt,
  pointerKeys,
  toChild,
  toList,
  toObject,
} from './description.ts'
import { DescriptionError } from './failure.ts'
import { shortPath } from './project.ts'

/** A file of YAML or JSON, with the locations of what is in it. Throws, with its line, where it cannot be read. */
export class SourceFile {
  readonly value: unknown
  readonly text: string
  readonly #file: string
  readonly #lines = new LineCounter()
  #parsed: Document | undefined

  constructor(file: string) {
    this.#file = file
    this.text = readText(file)
    // JSON is read much faster as such; where its parts are is found out when that is asked for.
    const json = /^\s*\{/.test(this.text) ? parseJson(this.text) : undefined
    this.value = json ?? toValue(this.#document, file)
  }

  get #document(): Document {
    this.#parsed ??= parseFile(this.#file, this.text, this.#lines)
    return this.#parsed
  }

  /** Returns where a value is written, or what would hold it, as `file:line:column`. */
  locationOf(pointer: string): string {
    const { line, col } = this.#positionOf(pointer)
    return `${shortPath(this.#file)}:${line}:${col}`
  }

  /** Returns the line where a value is written, or what would hold it. */
  lineOf(pointer: string): number {
    return this.#positionOf(pointer).line
  }

  #positionOf(pointer: string): { readonly line: number; readonly col: number } {
    const offsets = this.#nodesTo(pointer).map(startOf)
    return this.#lines.linePos(offsets.findLast((offset) => offset !== undefined) ?? 0)
  }

  /** Returns the root of the file, and what is written below it on the way to a pointer. */
  #nodesTo(pointer: string): readonly unknown[] {
    const nodes: unknown[] = [this.#document.contents]
    for (const key of pointerKeys(pointer)) {
      const last = nodes.at(-1)
      nodes.push(childOf(isAlias(last) ? last.resolve(this.#document) : last, key))
    }
    return nodes
  }
}

/** The files of a description, as written but with what `x-common` and the platform add in place. */
export class Sources {
  /** The first file. */
  readonly file: string
  /** The platform's file that completes the description, if there is one. */
  readonly platform: PlatformFile | undefined
  readonly #files = new Map<string, SourceFile>()
  readonly #additions: Additions

  constructor(file: string) {
    this.file = resolve(file)
    const root = toObject(this.root)
    this.platform = this.#openPlatform()
    const follow = (value: Placed) => this.#target(value)
    this.#additions = addCommonParts(root, this.file, follow, this.platform)
  }

  #openPlatform(): PlatformFile | undefined {
    const root = toObject(this.root)
    const file = findPlatformFile(root, this.file)
    if (file === undefined) return undefined
    const platform = toObject(this.#open(file).value)
    referToOwnComponents(platform, root, this.file)
    return { file, root: platform }
  }

  /** The parsed content of the first file. */
  get root(): unknown {
    return this.#open(this.file).value
  }

  /** The `info.version` of the description. */
  get version(): string {
    return String(toObject(toObject(this.root)['info'])['version'])
  }

  /** Returns whether a file belongs to the description, as far as it was read. */
  has(file: string): boolean {
    return this.#files.has(file)
  }

  /** Returns the value at a pointer. */
  read(file: string, pointer: string): Located {
    return { file, pointer, value: this.#read(file, pointer) }
  }

  /** Returns the value at a pointer, with its `$ref` followed; keys beside the `$ref` win. */
  find(file: string, pointer: string): Located {
    const value = this.#read(file, pointer)
    const target = this.#follow(file, value)
    if (target === undefined) return { file, pointer, value }
    const { $ref: _, ...beside } = toObject(value)
    return { ...target, value: { ...toObject(target.value), ...beside } }
  }

  /** Returns what a value refers to, through any number of references; the value itself if it has no `$ref`. */
  follow(node: Located, passed: readonly unknown[] = []): Located {
    const next = this.next(node)
    if (next === undefined) return node
    if (passed.includes(node.value)) this.rejectCircular(node)
    return this.follow(next, [...passed, node.value])
  }

  /** Returns what the `$ref` of a value names; undefined if it has none. Throws where it leads nowhere. */
  next(node: Located): Located | undefined {
    const { $ref } = toObject(node.value)
    if ($ref === undefined) return undefined
    if (typeof $ref !== 'string') {
      const place = this.locationOf(node.file, `${node.pointer}/$ref`)
      throw new DescriptionError([`${place} ${node.pointer}/$ref is no text`])
    }
    const isElsewhere = /^[a-z][a-z\d+.-]+:/i.test($ref)
    const target = isElsewhere ? undefined : this.#follow(node.file, node.value)
    if (target?.value !== undefined) return target
    const reason = isElsewhere
      ? 'leads to another host, which is not read; copy what it names into a file of the description'
      : 'leads nowhere; correct it, or write what it names'
    const at = this.locationOf(node.file, node.pointer)
    throw new DescriptionError([`${at} the reference ${$ref} ${reason}`])
  }

  /** Returns what the `$ref` of a value names; undefined if it has none, or if it leads nowhere. */
  tryNext({ file, value }: Located): Located | undefined {
    const target = this.#follow(file, value)
    return target?.value === undefined ? undefined : target
  }

  rejectCircular({ file, pointer }: Location): never {
    throw new DescriptionError([
      `${this.locationOf(file, pointer)} the reference leads back to itself`,
    ])
  }

  /** Returns where a value is declared: that is elsewhere if `x-common` or the platform has added it. */
  originOf(node: Located): Location {
    return this.#additions.origins.get(node.value) ?? node
  }

  /** Returns a response where it is written: some have copies in the place of references. */
  originalOf(node: Located): Located {
    return { ...node, ...this.#additions.copied.get(node.value) }
  }

  /** Returns every value of a keyword, such as `x-sunset`, in the files that were read. */
  findAll(keyword: string): readonly Located[] {
    return [...this.#files].flatMap(([file, { value }]) => findIn(value, keyword, file, '#'))
  }

  /** Returns the first object in the files that were read that passes a test. */
  findNode(
    isWanted: (value: JsonObject, file: string, pointer: string) => boolean,
  ): Located | undefined {
    for (const [file, { value }] of this.#files) {
      const found = findObject(value, file, '#', isWanted)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Returns the locations of the references that lead back to themselves, also through `allOf`. */
  findCircularReferences(): readonly string[] {
    return this.findAll('$ref').flatMap(({ file, pointer }) => {
      const at = pointer.slice(0, pointer.lastIndexOf('/'))
      const node = this.#read(file, at)
      const passed = new Set<unknown>()
      const leadsBack = (from: string, value: unknown): boolean => {
        const target = this.#follow(from, value)
        const parts = toList(toObject(value)['allOf']).map((part) => ({ file: from, value: part }))
        return [...(target ? [target] : []), ...parts].some((next) => {
          if (passed.has(next.value)) return false
          passed.add(next.value)
          return next.value === node || leadsBack(next.file, next.value)
        })
      }
      return leadsBack(file, node) ? [this.locationOf(file, at)] : []
    })
  }

  /** Returns where a value is written, or what would hold it, as `file:line:column`. */
  locationOf(file: string, pointer: string): string {
    return this.#open(file).locationOf(pointer)
  }

  /** Returns the line where a value is written, or what would hold it. */
  lineOf({ file, pointer }: Location): number {
    return this.#open(file).lineOf(pointer)
  }

  /**
   * Returns where the value is written that keys lead to from the root of the first file, through references,
   * or what would hold it.
   */
  locate(keys: readonly string[]): string {
    let file = this.file
    let pointer = '#'
    for (const key of keys) {
      const target = this.find(file, pointer)
      if (!hasKey(target.value, key)) break
      file = target.file
      pointer = toChild(target.pointer, key)
    }
    return this.locationOf(file, pointer)
  }

  #open(file: string): SourceFile {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const opened = new SourceFile(file)
    this.#files.set(file, opened)
    return opened
  }

  #read(file: string, pointer: string): unknown {
    const { value } = this.#open(file)
    return /^#\/?$/.test(pointer) ? value : pointAt(value, pointer)
  }

  #follow(from: string, node: unknown): Located | undefined {
    const { $ref } = toObject(node)
    if (typeof $ref !== 'string' || /^https?:/.test($ref)) return undefined
    const [uri = '', fragment = ''] = $ref.split('#')
    const file = uri === '' ? from : resolve(dirname(from), uri)
    const pointer = `#${fragment}`
    return { file, pointer, value: this.#read(file, pointer) }
  }

  #target({ node, file, pointer }: Placed, passed: readonly unknown[] = []): Placed {
    const next = this.#follow(file, node)
    // The linter reports a reference that leads back to itself.
    if (next === undefined || passed.includes(node)) return { node, file, pointer }
    const { value, ...place } = next
    return this.#target({ node: value, ...place }, [...passed, node])
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new DescriptionError([`${shortPath(file)} cannot be read: ${firstLine(error)}`])
  }
}

function parseFile(file: string, text: string, lineCounter: LineCounter): Document {
  const document = parseDocument(text, { lineCounter })
  const [error] = document.errors
  if (error === undefined) return document
  const { line, col } = lineCounter.linePos(error.pos[0])
  throw new DescriptionError([
    `${shortPath(file)}:${line}:${col} syntax ${firstLine(error.message)}`,
  ])
}

/** Returns the value of a text of JSON; undefined if it is none, such as YAML that begins with a brace. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toValue(document: Document, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new DescriptionError([`${shortPath(file)} cannot be read: ${firstLine(error)}`])
  }
}

function firstLine(error: unknown): string {
  return String(error).split('\n')[0] ?? ''
}

function childOf(node: unknown, key: string): unknown {
  if (isMap(node)) {
    const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === key)
    // A key without a value is its own place.
    return isNode(pair?.value) && startOf(pair.value) !== undefined ? pair.value : pair?.key
  }
  return isSeq(node) ? node.items[Number(key)] : undefined
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === 'object' && value !== null && key in value
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}

function findIn(node: unknown, keyword: string, file: string, at: string): readonly Located[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    const pointer = toChild(at, key)
    const own = key === keyword ? [{ file, pointer, value }] : []
    return [...own, ...findIn(value, keyword, file, pointer)]
  })
}

function findObject(
  value: unknown,
  file: string,
  pointer: string,
  isWanted: (value: JsonObject, file: string, pointer: string) => boolean,
): Located | undefined {
  if (isObject(value) && isWanted(value, file, pointer)) return { file, pointer, value }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    const found = findObject(child, file, toChild(pointer, key), isWanted)
    if (found !== undefined) return found
  }
  return undefined
}
