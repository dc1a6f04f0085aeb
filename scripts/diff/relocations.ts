import { dirname, relative } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { locationOf } from '../../server/description/documents.ts'
import { isObject } from '../../server/description/json.ts'
import type { Location } from '../../server/description/location.ts'
import type { Sources } from '../pipeline/sources.ts'
import type { ComparedDescription } from './compared-description.ts'

/** Where a component is in a description that has no such component, unchanged. */
type Relocation =
  /** It is written where it is used. */
  | { readonly kind: 'inlined' }
  /** It is in another file. */
  | { readonly kind: 'moved'; readonly file: string }

/** Returns where another description has a component of one; undefined if it has none. */
export function findElsewhere(
  description: ComparedDescription,
  other: ComparedDescription,
  at: Location,
): Relocation | undefined {
  const wanted = readValue(description.sources, at)
  if (!isObject(wanted)) {
    return undefined
  }
  const keys = Object.keys(wanted)
  const { sources } = other
  const node = sources.findNode((value, file) => {
    // Most nodes have other keys, and need no comparison of their values.
    const hasKeys = keys.every((key) => key in value) && Object.keys(value).length === keys.length
    return hasKeys && isDeepStrictEqual(withSameReferences(value, file, sources), wanted)
  })
  if (node === undefined) {
    return undefined
  }
  return node.file === sources.file ? { kind: 'inlined' } : { kind: 'moved', file: node.file }
}

/** Returns whether a component of one description is that of another one, with another name. */
export function isSameComponent(
  base: ComparedDescription,
  current: ComparedDescription,
  before: Location,
  after: Location,
): boolean {
  return isDeepStrictEqual(readValue(base.sources, before), readValue(current.sources, after))
}

function readValue(sources: Sources, { file, pointer }: Location): unknown {
  return withSameReferences(sources.valueAt({ file, pointer }), file, sources)
}

/** Returns a value with its references as the first file of its description would write them. */
function withSameReferences(value: unknown, file: string, sources: Sources): unknown {
  if (Array.isArray(value)) {
    return value.map((each) => withSameReferences(each, file, sources))
  }
  if (!isObject(value)) {
    return value
  }
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
  const target = locationOf(reference, file)
  if (target === undefined) {
    return reference
  }
  // The first files of two descriptions may have different names.
  const path = target.file === firstFile ? '' : relative(dirname(firstFile), target.file)
  return `${path}${target.pointer}`
}
