import { type BaseResolver, type Document, getLineColLocation } from '@redocly/openapi-core'
import { toObject } from './description.ts'
import { shortPath } from './project.ts'

/** A part of a description where it is written, which may be in another file than the first. */
interface Part {
  readonly document: Document
  readonly keys: readonly string[]
  readonly node: unknown
}

interface Reference {
  readonly $ref: string
}

/** Finds where a JSON Pointer into a bundled description is written, as `file:line:column`. */
export async function findPlace(
  document: Document,
  resolver: BaseResolver,
  pointer: string,
): Promise<string> {
  const part = await walk(document, split(pointer).keys, resolver, new Set())
  // Bundling moves schemas of other files to pointers that no file has.
  return part?.node === undefined ? shortPath(document.source.absoluteRef) : placeOf(part)
}

/** Finds the references of a description, in all its files, that lead back to themselves. */
export async function findCircularReferences(
  first: Document,
  resolver: BaseResolver,
): Promise<string[]> {
  const places: string[] = []
  const documents = new Map([[first.source.absoluteRef, first]])
  for (const document of documents.values()) {
    for (const part of references(document, document.parsed, [])) {
      const target = await read(document, split(part.node.$ref).uri, resolver)
      if (target !== undefined) documents.set(target.source.absoluteRef, target)
      const end = await follow(part, resolver, new Set())
      if (end?.node === part.node) places.push(placeOf(part))
    }
  }
  return places
}

function placeOf({ document, keys }: Part): string {
  const escaped = keys.map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
  const pointer = ['#', ...escaped].join('/')
  const { start } = getLineColLocation({ source: document.source, pointer, reportOnKey: false })
  return `${shortPath(document.source.absoluteRef)}:${start.line}:${start.col}`
}

function* references(
  document: Document,
  node: unknown,
  keys: readonly string[],
): Generator<Part & { readonly node: Reference }> {
  if (typeof node !== 'object' || node === null) return
  if (isReference(node)) yield { document, keys, node }
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
    const isBeside = isReference(part.node) && key in part.node
    const holder = isBeside ? part : await follow(part, resolver, passed)
    if (holder === undefined || (isReference(holder.node) && !isBeside)) return holder
    part = { ...holder, keys: [...holder.keys, key], node: toChild(holder.node, key) }
  }
  return part
}

async function follow(
  part: Part,
  resolver: BaseResolver,
  passed: Set<unknown>,
): Promise<Part | undefined> {
  const { document, node } = part
  if (!isReference(node) || passed.has(node)) return part
  passed.add(node)
  const { uri, keys } = split(node.$ref)
  const target = await read(document, uri, resolver)
  const found = target && (await walk(target, keys, resolver, passed))
  return found && follow(found, resolver, passed)
}

async function read(from: Document, uri: string, resolver: BaseResolver) {
  if (uri === '') return from
  const document = await resolver.resolveDocument(from.source.absoluteRef, uri)
  return document instanceof Error ? undefined : document
}

function toChild(node: unknown, key: string): unknown {
  return Array.isArray(node) ? node[Number(key)] : toObject(node)[key]
}

function isReference(node: unknown): node is Reference {
  return typeof toObject(node)['$ref'] === 'string'
}

function split($ref: string) {
  const [uri = '', fragment = ''] = $ref.split('#')
  const keys = fragment.split('/').slice(1)
  const decode = (key: string) =>
    decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
  return { uri, keys: keys.map(decode) }
}
