import { isObject, type JsonObject, toList, toObject } from '../pipeline/description.ts'
import { toChild, toSegments, valueAt } from './pointer.ts'

/** Which way something travels: to the service, or to the consumer in a success or in a failure. */
export type Direction = 'request' | 'answer' | 'failure'

type Usages = Map<string, Set<Direction>>

/** Keywords below which there is data, not description. */
const dataKeys = ['example', 'examples', 'enum', 'const', 'default']

/** Says for any pointer into a description which ways what is there travels. */
export function readUsages(root: JsonObject): (pointer: string) => ReadonlySet<Direction> {
  const usages: Usages = new Map()
  for (const room of ['paths', 'webhooks']) {
    for (const path of Object.keys(toObject(root[room]))) {
      walkPath(root, usages, toChild(`#/${room}`, path), room === 'webhooks')
    }
  }
  return (pointer) => {
    for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
      const found = usages.get(at)
      if (found !== undefined) return found
      if (!at.includes('/')) break
    }
    return new Set()
  }
}

function walkPath(root: JsonObject, usages: Usages, pointer: string, isCallback: boolean): void {
  const item = toObject(valueAt(root, toSegments(pointer)))
  if (typeof item['$ref'] === 'string') walkPath(root, usages, item['$ref'], isCallback)
  const request = isCallback ? 'answer' : 'request'
  walk(root, usages, toChild(pointer, 'parameters'), request)
  for (const [method, operation] of Object.entries(item)) {
    if (!isObject(operation)) continue
    const at = toChild(pointer, method)
    walk(root, usages, toChild(at, 'parameters'), request)
    walk(root, usages, toChild(at, 'requestBody'), request)
    for (const status of Object.keys(toObject(operation['responses']))) {
      const answer = /^[123]/.test(status) ? 'answer' : 'failure'
      walk(root, usages, `${at}/responses/${status}`, isCallback ? 'request' : answer)
    }
    for (const [name, callback] of Object.entries(toObject(operation['callbacks']))) {
      const there = toChild(toChild(at, 'callbacks'), name)
      for (const path of Object.keys(toObject(callback))) {
        walkPath(root, usages, toChild(there, path), !isCallback)
      }
    }
  }
}

function walk(root: JsonObject, usages: Usages, pointer: string, direction: Direction): void {
  const node = valueAt(root, toSegments(pointer))
  if (!isObject(node) && !Array.isArray(node)) return
  const known = usages.get(pointer) ?? new Set<Direction>()
  if (known.has(direction)) return
  usages.set(pointer, known.add(direction))
  const { $ref } = toObject(node)
  if (typeof $ref === 'string' && $ref.startsWith('#/')) walk(root, usages, $ref, direction)
  const keys = Array.isArray(node) ? [...toList(node).keys()].map(String) : Object.keys(node)
  for (const key of keys) {
    // A property may have any name, even that of a keyword.
    const isData = dataKeys.includes(key) && !pointer.endsWith('/properties')
    if (!isData) walk(root, usages, toChild(pointer, key), direction)
  }
}
