import { isObject, type JsonObject, toObject } from '../pipeline/description.ts'
import { toChild, toSegments, valueAt } from './pointer.ts'

/** Which way something travels: to the service, or to the consumer in a success or in a failure. */
export type Direction = 'request' | 'answer' | 'failure'

/** The rooms of a description whose entries are path items, and who is called there. */
const rooms = [
  ['paths', 'service'],
  ['webhooks', 'consumer'],
] as const
type Called = (typeof rooms)[number][1]

/** Keywords below which there is data, not description. */
const dataKeys = ['example', 'examples', 'enum', 'const', 'default']

/** Says for any pointer into a description which ways what is there travels. */
export function readUsages(root: JsonObject): (pointer: string) => ReadonlySet<Direction> {
  const usages = new Usages(root)
  for (const [room, called] of rooms) {
    for (const path of Object.keys(toObject(root[room]))) usages.add(room, path, called)
  }
  return (pointer) => usages.at(pointer)
}

/** Which ways the parts of a description travel, as far as its path items have been added. */
export class Usages {
  readonly #root: JsonObject
  readonly #known = new Map<string, Set<Direction>>()
  #shared = 0

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** Adds what a path item uses; says whether components travel ways that were not known. */
  add(room: string, path: string, called: Called = 'service'): boolean {
    const before = this.#shared
    this.#walkPath(toObject(this.#root[room])[path], toChild(`#/${room}`, path), called)
    return this.#shared > before
  }

  /** The ways of the nearest place that has any. */
  at(pointer: string): ReadonlySet<Direction> {
    for (let at = pointer; at.includes('/'); at = at.slice(0, at.lastIndexOf('/'))) {
      const found = this.#known.get(at)
      if (found !== undefined) return found
    }
    return new Set()
  }

  #walkPath(item: unknown, pointer: string, called: Called): void {
    const { $ref, parameters, ...methods } = toObject(item)
    if (typeof $ref === 'string') this.#walkPath(this.#find($ref), $ref, called)
    const request = called === 'service' ? 'request' : 'answer'
    this.#walk(parameters, toChild(pointer, 'parameters'), request)
    for (const [method, operation] of Object.entries(methods)) {
      if (isObject(operation)) this.#walkOperation(operation, toChild(pointer, method), called)
    }
  }

  #walkOperation(operation: JsonObject, pointer: string, called: Called): void {
    const isService = called === 'service'
    const there: Direction = isService ? 'request' : 'answer'
    const success: Direction = isService ? 'answer' : 'request'
    const failure: Direction = isService ? 'failure' : 'request'
    for (const part of ['parameters', 'requestBody']) {
      this.#walk(operation[part], toChild(pointer, part), there)
    }
    for (const [status, response] of Object.entries(toObject(operation['responses']))) {
      const way = /^[123]/.test(status) ? success : failure
      this.#walk(response, `${pointer}/responses/${status}`, way)
    }
    for (const [name, callback] of Object.entries(toObject(operation['callbacks']))) {
      const at = toChild(`${pointer}/callbacks`, name)
      for (const [path, item] of Object.entries(toObject(callback))) {
        this.#walkPath(item, toChild(at, path), called === 'service' ? 'consumer' : 'service')
      }
    }
  }

  #walk(node: unknown, pointer: string, direction: Direction): void {
    if (typeof node !== 'object' || node === null) return
    const known = this.#known.get(pointer) ?? new Set()
    if (known.has(direction)) return
    this.#known.set(pointer, known.add(direction))
    if (pointer.startsWith('#/components/')) this.#shared += 1
    const { $ref } = toObject(node)
    if (typeof $ref === 'string') this.#walk(this.#find($ref), $ref, direction)
    for (const [key, value] of Object.entries(node)) {
      // A property may have any name, even that of a keyword.
      const isData = dataKeys.includes(key) && !pointer.endsWith('/properties')
      if (!isData) this.#walk(value, toChild(pointer, key), direction)
    }
  }

  #find($ref: string): unknown {
    return $ref.startsWith('#/') ? valueAt(this.#root, toSegments($ref)) : undefined
  }
}
