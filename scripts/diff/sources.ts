import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type Document, isNode, LineCounter, parseDocument } from 'yaml'
import { isObject, toObject } from '../pipeline/description.ts'
import { shortPath } from '../pipeline/project.ts'
import { toChild, toSegments, valueAt } from './pointer.ts'

/** Which way something is sent: in a request, in a successful response or in an error response. */
export type Direction = 'request' | 'response' | 'error'

/** A value in a file of a description. */
export interface Located {
  readonly file: string
  readonly pointer: string
  readonly value: unknown
}

interface Source {
  readonly value: unknown
  readonly document: Document
  readonly lineCounter: LineCounter
}

/** The way of what is below a node, as far as it is known; callbacks and webhooks reverse it. */
interface Way {
  readonly direction?: Direction
  readonly isReversed: boolean
}

/** Keywords whose values are data, not description. */
const dataKeys = ['example', 'examples', 'enum', 'const', 'default']

/** The files of a description, as they are written, and which ways their parts are sent. */
export class Sources {
  readonly #files = new Map<string, Source>()
  readonly #directions = new Map<string, Set<Direction | 'unknown'>>()

  constructor(file: string) {
    const roots = ['paths', 'webhooks', 'x-outside-operations', 'x-framing-response']
    const root = toObject(this.read(file))
    for (const key of roots)
      this.#walk(root[key], file, `#/${key}`, next({ isReversed: false }, key))
  }

  /** Returns the parsed content of a file. */
  read(file: string): unknown {
    return this.#open(file).value
  }

  /** Returns what is at a pointer, or what it refers to. */
  find(file: string, pointer: string): Located {
    const value = valueAt(this.read(file), toSegments(pointer))
    return this.#follow(file, value) ?? { file, pointer, value }
  }

  /** Returns which ways what is at a pointer is sent. */
  directionsOf(file: string, pointer: string): ReadonlySet<Direction> {
    for (let at = pointer; at.includes('/'); at = at.slice(0, at.lastIndexOf('/'))) {
      const found = this.#directions.get(`${file}${at}`)
      if (found !== undefined) return new Set([...found].filter((each) => each !== 'unknown'))
    }
    return new Set()
  }

  /** Returns every value of a keyword, such as `x-sunset`, in the files that were read. */
  *findAll(keyword: string): Generator<Located> {
    for (const [file, { value }] of this.#files) yield* findIn(value, keyword, file, '#')
  }

  /** Tells whether a keyword is anywhere in the files that were read. */
  has(keyword: string): boolean {
    return this.findAll(keyword).next().done !== true
  }

  /** Returns where a value is written, as `file:line:column`. */
  placeOf({ file, pointer }: Omit<Located, 'value'>): string {
    const { document, lineCounter } = this.#open(file)
    const node = document.getIn(toSegments(pointer), true)
    const { line, col } = lineCounter.linePos((isNode(node) ? node.range?.[0] : undefined) ?? 0)
    return `${shortPath(file)}:${line}:${col}`
  }

  #open(file: string): Source {
    const known = this.#files.get(file)
    if (known !== undefined) return known
    const lineCounter = new LineCounter()
    const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter })
    const source = { value: document.toJS(), document, lineCounter }
    this.#files.set(file, source)
    return source
  }

  #follow(from: string, node: unknown): Located | undefined {
    const { $ref } = toObject(node)
    if (typeof $ref !== 'string' || /^https?:/.test($ref)) return undefined
    const [uri = '', fragment = ''] = $ref.split('#')
    const file = uri === '' ? from : resolve(dirname(from), uri)
    const pointer = `#${fragment}`
    return { file, pointer, value: valueAt(this.read(file), toSegments(pointer)) }
  }

  #walk(node: unknown, file: string, pointer: string, way: Way): void {
    if (typeof node !== 'object' || node === null) return
    const at = `${file}${pointer}`
    const known = this.#directions.get(at) ?? new Set()
    const direction = way.direction ?? 'unknown'
    if (known.has(direction)) return
    this.#directions.set(at, known.add(direction))
    const target = this.#follow(file, node)
    if (target !== undefined) this.#walk(target.value, target.file, target.pointer, way)
    for (const [key, value] of Object.entries(node)) {
      // A property may have any name, even that of a keyword.
      if (dataKeys.includes(key) && !pointer.endsWith('/properties')) continue
      const parent = pointer.slice(pointer.lastIndexOf('/') + 1)
      this.#walk(value, file, toChild(pointer, key), way.direction ? way : next(way, key, parent))
    }
  }
}

function next({ isReversed }: Way, key: string, parent = ''): Way {
  if (key === 'callbacks' || key === 'webhooks') return { isReversed: !isReversed }
  if (key === 'parameters' || key === 'requestBody') {
    return { isReversed, direction: isReversed ? 'response' : 'request' }
  }
  const isStatus = parent === 'responses' || parent === 'x-outside-operations'
  if (!isStatus && key !== 'x-framing-response') return { isReversed }
  if (isReversed) return { isReversed, direction: 'request' }
  return { isReversed, direction: /^[123]/.test(key) ? 'response' : 'error' }
}

function* findIn(
  node: unknown,
  keyword: string,
  file: string,
  pointer: string,
): Generator<Located> {
  if (typeof node !== 'object' || node === null) return
  if (isObject(node) && keyword in node) {
    yield { file, pointer: toChild(pointer, keyword), value: node[keyword] }
  }
  for (const [key, value] of Object.entries(node)) {
    yield* findIn(value, keyword, file, toChild(pointer, key))
  }
}
