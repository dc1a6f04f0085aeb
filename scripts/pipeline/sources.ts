import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { getLineColLocation, Source } from '@redocly/openapi-core'
import { parse } from 'yaml'
import { addCommonParts, commonKey, type Placed } from '../../spec/rules/common-parts.ts'
import { isObject, type JsonObject, pointAt, toChild, toList, toObject } from './description.ts'
import { DescriptionError } from './failure.ts'
import { shortPath } from './project.ts'

/** How something is sent: in a request, in a successful response or in an error response. */
export type Direction = 'request' | 'response' | 'error'

/** A value in a file of a description. */
export interface Located {
  readonly file: string
  readonly pointer: string
  readonly value: unknown
}

/** Keywords whose values are data, not description. */
const dataKeys = ['example', 'examples', 'enum', 'const', 'default']

/** The files of a description, as written but with `x-common` in place, and the directions in which their parts are sent. */
export class Sources {
  /** The first file. */
  readonly file: string
  readonly #files = new Map<string, { readonly source: Source; readonly value: unknown }>()
  readonly #directions = new Map<string, Set<Direction | undefined>>()

  constructor(file: string) {
    this.file = resolve(file)
    addCommonParts(toObject(this.root), this.file, (value) => this.#target(value))
    const { components: _, [commonKey]: __, ...sent } = toObject(this.root)
    this.#walk(sent, '#', this.file)
  }

  /** The parsed content of the first file. */
  get root(): unknown {
    return this.#open(this.file).value
  }

  /** The `info.version` of the description. */
  get version(): string {
    return String(toObject(toObject(this.root)['info'])['version'])
  }

  /** Returns the value at a pointer, with its `$ref` followed; keys beside the `$ref` win. */
  find(file: string, pointer: string): Located {
    const value = this.#read(file, pointer)
    const target = this.#follow(file, value)
    if (target === undefined) return { file, pointer, value }
    const { $ref: _, ...beside } = toObject(value)
    return { ...target, value: { ...toObject(target.value), ...beside } }
  }

  /** Returns the directions in which the value at a pointer is sent. */
  directionsOf(file: string, pointer: string): readonly Direction[] {
    const found = this.#directions.get(`${file}${pointer}`)
    if (found !== undefined) return [...found].filter((each) => each !== undefined)
    // The last one is the whole file, which may be a schema.
    return pointer.includes('/') ? this.directionsOf(file, pointer.replace(/\/[^/]*$/, '')) : []
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
    const { source } = this.#open(file)
    const { line, col } = getLineColLocation({ source, pointer, reportOnKey: false }).start
    return `${shortPath(file)}:${line}:${col}`
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
      if (!(key in Object(target.value))) break
      file = target.file
      pointer = toChild(target.pointer, key)
    }
    return this.locationOf(file, pointer)
  }

  #open(file: string) {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const { text, value } = readYaml(file)
    const opened = { source: new Source(file, text), value }
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

  #walk(node: unknown, pointer: string, file: string, direction?: Direction): void {
    if (typeof node !== 'object' || node === null) return
    const at = `${file}${pointer}`
    const known = this.#directions.get(at) ?? new Set()
    if (known.has(direction)) return
    this.#directions.set(at, known.add(direction))
    const target = this.#follow(file, node)
    if (target !== undefined) this.#walk(target.value, target.pointer, target.file, direction)
    const parent = pointer.slice(pointer.lastIndexOf('/') + 1)
    for (const [key, value] of Object.entries(node)) {
      // A property may have any name, even that of a keyword.
      if (dataKeys.includes(key) && parent !== 'properties') continue
      for (const each of direction ? [direction] : waysOf(key, parent)) {
        this.#walk(value, toChild(pointer, key), file, each)
      }
    }
  }
}

/** Reads a file of YAML or JSON. */
export function readYaml(file: string): { readonly text: string; readonly value: unknown } {
  try {
    const text = readFileSync(file, 'utf8')
    return { text, value: parse(text) }
  } catch (error) {
    const [reason] = String(error).split('\n')
    throw new DescriptionError([`${shortPath(file)} cannot be read: ${reason}`])
  }
}

/** Returns the directions in which the value of a key is sent; those of callbacks and webhooks are both. */
function waysOf(key: string, parent: string): readonly (Direction | undefined)[] {
  if (key === 'callbacks' || key === 'webhooks') return ['request', 'response']
  if (key === 'parameters' || key === 'requestBody') return ['request']
  const isStatus = parent === 'responses' || parent === 'x-undeclared-operations'
  if (!isStatus && key !== 'x-framing-response') return [undefined]
  return [/^[123]/.test(key) ? 'response' : 'error']
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
