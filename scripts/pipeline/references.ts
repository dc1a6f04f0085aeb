import { type BaseResolver, type Document, getLineColLocation } from '@redocly/openapi-core'
import { pointAt, toObject, toPointer } from './description.ts'
import { shortPath } from './project.ts'

/** A reference, where it is written. */
interface Reference {
  readonly document: Document
  readonly keys: readonly string[]
  readonly node: object
}

/** Returns a position in a file as `file:line:column`; of keys that the file lacks, that of the last it has. */
export function locate({ document: { source }, keys }: Omit<Reference, 'node'>): string {
  const { start } = getLineColLocation({ source, pointer: toPointer(keys), reportOnKey: false })
  return `${shortPath(source.absoluteRef)}:${start.line}:${start.col}`
}

/** Finds the references of a description, in all its files, that lead back to themselves. */
export async function findCircularReferences(
  first: Document,
  resolver: BaseResolver,
): Promise<string[]> {
  const found: string[] = []
  const documents = new Map([[first.source.absoluteRef, first]])
  for (const document of documents.values()) {
    for (const reference of referencesIn(document, document.parsed, [])) {
      const passed = new Set<unknown>()
      let target = await follow(document, reference.node, resolver)
      documents.set(target.document.source.absoluteRef, target.document)
      while (target.node !== reference.node && !passed.has(target.node)) {
        passed.add(target.node)
        target = await follow(target.document, target.node, resolver)
      }
      if (target.node === reference.node) found.push(locate(reference))
    }
  }
  return found
}

function* referencesIn(
  document: Document,
  node: unknown,
  keys: readonly string[],
): Generator<Reference> {
  if (typeof node !== 'object' || node === null) return
  if (referenceOf(node) !== undefined) yield { document, keys, node }
  for (const [key, value] of Object.entries(node)) {
    yield* referencesIn(document, value, [...keys, key])
  }
}

/** Returns what a node refers to, or the node if it is no reference. */
async function follow(document: Document, node: unknown, resolver: BaseResolver) {
  const $ref = referenceOf(node)
  if ($ref === undefined) return { document, node }
  const [uri = '', fragment = ''] = $ref.split('#')
  const from = document.source.absoluteRef
  const target = uri === '' ? document : await resolver.resolveDocument(from, uri)
  if (target instanceof Error) return { document, node: undefined }
  return {
    document: target,
    node: fragment === '' ? target.parsed : pointAt(target.parsed, `#${fragment}`),
  }
}

function referenceOf(node: unknown): string | undefined {
  const { $ref } = toObject(node)
  return typeof $ref === 'string' ? $ref : undefined
}
