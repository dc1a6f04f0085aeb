import { readFileSync } from 'node:fs'
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
import { pointerKeys } from '../../server/description/pointer.ts'
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
      nodes.push(childNode(isAlias(last) ? last.resolve(this.#document) : last, key))
    }
    return nodes
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
  if (error === undefined) {
    return document
  }
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

function childNode(node: unknown, key: string): unknown {
  if (isMap(node)) {
    const pair = node.items.find((each) => isScalar(each.key) && String(each.key.value) === key)
    // A key without a value is its own place.
    return isNode(pair?.value) && startOf(pair.value) !== undefined ? pair.value : pair?.key
  }
  return isSeq(node) ? node.items[Number(key)] : undefined
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined
}
