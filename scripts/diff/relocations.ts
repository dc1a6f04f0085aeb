import { dirname, relative, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isObject, pointerKeys } from '../pipeline/description.ts'
import type { Located, Sources } from '../pipeline/sources.ts'
import { toRefPath } from './released.ts'

/** Where a component that was added or removed is in the other description, unchanged. */
export type Relocation =
  | { readonly kind: 'renamed'; readonly from: string }
  /** It is written where it is used. */
  | { readonly kind: 'inlined' }
  /** It is in another file. */
  | { readonly kind: 'moved'; readonly file: string }

/** A change of a node that one of two descriptions may not have. */
interface Found {
  readonly kind: 'added' | 'removed' | 'modified'
  readonly path: string
  readonly base: Located | undefined
  readonly revision: Located | undefined
}

/** Two descriptions, as they are written in their files, and what the first was read from. */
interface Pair {
  readonly base: Sources
  readonly current: Sources
  readonly ref: string
}

/**
 * Adds to each component that was added or removed where it is in the other description, if it is there
 * unchanged. Of a component that was renamed, only the change with its new name remains.
 */
export function withRelocations<Change extends Found>(
  pair: Pair,
  changes: readonly Change[],
): readonly (Change & { readonly relocation?: Relocation })[] {
  const components = changes.filter(({ path }) => isComponent(path))
  const added = components.filter(({ kind }) => kind === 'added')
  const removed = components.filter(({ kind }) => kind === 'removed')
  const oldOf = new Map<Change, Change>()
  for (const old of removed) {
    const renamed = added.find((each) => !oldOf.has(each) && isSameComponent(pair, old, each))
    if (renamed !== undefined) oldOf.set(renamed, old)
  }
  const renamedAway = new Set(oldOf.values())
  const remaining = changes.filter((change) => !renamedAway.has(change))
  return remaining.map((change) => {
    const old = oldOf.get(change)
    if (old !== undefined) {
      return { ...change, relocation: { kind: 'renamed', from: nameOf(old.path) } }
    }
    const relocation = isComponent(change.path) ? findElsewhere(pair, change) : undefined
    return relocation === undefined ? change : { ...change, relocation }
  })
}

function isComponent(pointer: string): boolean {
  return /^#\/components\/[^/]+\/[^/]+$/.test(pointer)
}

function nameOf(pointer: string): string {
  return pointerKeys(pointer).at(-1) ?? ''
}

/** Returns whether a component that was removed is one that was added, with another name. */
function isSameComponent({ base, current }: Pair, removed: Found, added: Found): boolean {
  if (removed.base === undefined || added.revision === undefined) return false
  const [, oldSection] = pointerKeys(removed.path)
  const [, newSection] = pointerKeys(added.path)
  const oldValue = readValue(base, removed.base)
  const newValue = readValue(current, added.revision)
  return oldSection === newSection && isDeepStrictEqual(oldValue, newValue)
}

/** Returns where the other description has a component; undefined if it has none. */
function findElsewhere(pair: Pair, { kind, path, base, revision }: Found): Relocation | undefined {
  const isRemoved = kind === 'removed'
  const [own, other] = isRemoved ? [pair.base, pair.current] : [pair.current, pair.base]
  const side = isRemoved ? base : revision
  const wanted = side === undefined ? undefined : readValue(own, side)
  if (kind === 'modified' || !isObject(wanted)) return undefined
  const keys = Object.keys(wanted)
  const found = other.findNode((value, file, pointer) => {
    const hasKeys = keys.every((key) => key in value) && Object.keys(value).length === keys.length
    // The component itself is not elsewhere.
    if (!hasKeys || (file === other.file && pointer === path)) return false
    return isDeepStrictEqual(withSameReferences(value, file, other), wanted)
  })
  if (found === undefined) return undefined
  if (found.file === other.file) return { kind: 'inlined' }
  return { kind: 'moved', file: toRefPath(found.file, pair.ref) }
}

function readValue(sources: Sources, { file, pointer }: Located): unknown {
  return withSameReferences(sources.find(file, pointer).value, file, sources)
}

/** Returns a value with its references as the first file of its description would write them. */
function withSameReferences(value: unknown, file: string, sources: Sources): unknown {
  if (Array.isArray(value)) return value.map((each) => withSameReferences(each, file, sources))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, each]) => {
    const isReference = key === '$ref' && typeof each === 'string'
    const same = isReference
      ? toFirstFile(each, file, sources.file)
      : withSameReferences(each, file, sources)
    return [key, same] as const
  })
  return Object.fromEntries(entries)
}

function toFirstFile(reference: string, file: string, firstFile: string): string {
  const [uri = '', fragment = ''] = reference.split('#')
  if (/^https?:/.test(uri)) return reference
  const target = uri === '' ? file : resolve(dirname(file), uri)
  // The first files of two descriptions may have different names.
  const path = target === firstFile ? '' : relative(dirname(firstFile), target)
  return `${path}#${fragment}`
}
