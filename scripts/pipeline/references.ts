import { type BaseResolver, type Document, getLineColLocation } from '@redocly/openapi-core'
import { pointerKeys, toObject, toPointer } from './description.ts'
import { shortPath } from './project.ts'

/** A part of a description where it is written, which may be in another file than the first. */
interface Part {
  readonly document: Document
  readonly keys: readonly string[]
  readonly node: unknown
}

/** Returns where a JSON Pointer into a bundled description is written, as `file:line:column`. */
export async function findPlace(
  document: Document,
  resolver: BaseResolver,
  pointer: string,
): Promise<string> {
  const part = await walk(document, pointerKeys(pointer), resolver, new Set())
  // Bundling moves schemas of other files to pointers that no file has.
  return part?.node === undefined ? shortPath(document.source.absoluteRef) : locate(part)
}

/** Finds the references of a description, in all its files, that lead back to themselves. */
export async function findCircularReferences(
  first: Document,
  resolver: BaseResolver,
): Promise<string[]> {
  const found: string[] = []
  const documents = new Map([[first.source.absoluteRef, first]])
  for (const document of documents.values()) {
    for (const part of references(document, document.parsed, [])) {
      const [uri = ''] = referenceOf(part.node)?.split('#') ?? []
      const target = await read(document, uri, resolver)
      if (target !== undefined) documents.set(target.source.absoluteRef, target)
      const end = await follow(part, resolver, new Set())
      if (end?.node === part.node) found.push(locate(part))
    }
  }
  return found
}

/** Returns a position in a file as `file:line:column`. */
export function locate({ document: { source }, keys }: Omit<Part, 'node'>): string {
  const { start } = getLineColLocation({ source, pointer: toPointer(keys), reportOnKey: false })
  return `${shortPath(source.absoluteRef)}:${start.line}:${start.col}`
}

function* references(document: Document, node: unknown, keys: readonly string[]): Generator<Part> {
  if (typeof node !== 'object' || node === null) return
  if (referenceOf(node) !== undefined) yield { document, keys, node }
  for (const [key, value] of Object.entries(node)) {
    yield* references(document, value, [...keys, key])
  }
}

/** Follows keys and references from the root of a document; stops at a reference that repeats. */
async function walk(
  document: Document,
  keys: readonly string[],
  resolver: BaseResolver,
  passed: Set<unknown>,
): Promise<Part | undefined> {
  let part: Part = { document, keys: [], node: document.parsed }
  for (const key of keys) {
    const isBeside = Object.hasOwn(toObject(part.node), key)
    const holder = isBeside ? part : await follow(part, resolver, passed)
    if (holder === undefined || (referenceOf(holder.node) !== undefined && !isBeside)) return holder
    const node = Array.isArray(holder.node) ? holder.node[Number(key)] : toObject(holder.node)[key]
    part = { ...holder, keys: [...holder.keys, key], node }
  }
  return part
}

async function follow(
  part: Part,
  resolver: BaseResolver,
  passed: Set<unknown>,
): Promise<Part | undefined> {
  const $ref = referenceOf(part.node)
  if ($ref === undefined || passed.has(part.node)) return part
  passed.add(part.node)
  const [uri = '', fragment = ''] = $ref.split('#')
  const target = await read(part.document, uri, resolver)
  const found = target && (await walk(target, pointerKeys(fragment), resolver, passed))
  return found && follow(found, resolver, passed)
}

async function read(from: Document, uri: string, resolver: BaseResolver) {
  if (uri === '') return from
  const document = await resolver.resolveDocument(from.source.absoluteRef, uri)
  return document instanceof Error ? undefined : document
}

function referenceOf(node: unknown): string | undefined {
  const { $ref } = toObject(node)
  return typeof $ref === 'string' ? $ref : undefined
}
