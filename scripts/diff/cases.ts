import { toObject } from '../pipeline/description.ts'
import type { Json } from '../pipeline/literal.ts'
import { methods } from '../pipeline/operation-places.ts'
import type { Case } from './judgement.ts'
import { readPageSizes } from './page-sizes.ts'
import type { Pair } from './pair.ts'
import { toChild, toSegments, toSubject, valueAt } from './pointer.ts'
import type { Difference, Side } from './redocly-diff.ts'
import { readUsages } from './usage.ts'

/** Adds to each difference what must be known to judge it. */
export function toCases(pair: Pair, differences: readonly Difference[]): Case[] {
  const [before, after] = [readUsages(pair.base), readUsages(pair.current)]
  const pageSizes = readPageSizes(pair.current)
  const split = differences.flatMap((difference) => splitName(pair, difference)).flatMap(splitPath)
  return split.map((difference) => {
    const { kind, base, revision } = difference
    const root = kind === 'removed' ? pair.base : pair.current
    // A keyword that is gone has no place in the current description; its schema has.
    const side = kind === 'removed' ? base : (revision ?? base)
    const pointer = toNode(side?.pointer ?? difference.path, difference)
    const directions = new Set([
      ...(base === undefined ? [] : before(base.pointer)),
      ...(revision === undefined ? [] : after(revision.pointer)),
    ])
    const description = toObject(valueAt(root, toSegments(pointer)))
    const subject = toSubject(root, pointer)
    const pageSize = pageSizes.get(pointer)
    return { ...difference, pointer, directions, subject, description, pageSize }
  })
}

// What was modified is a key of the node that is spoken of.
function toNode(pointer: string, { kind, property }: Difference): string {
  const isInside = kind === 'modified' && toSegments(pointer).at(-1) === property
  return isInside ? pointer.slice(0, pointer.lastIndexOf('/')) : pointer
}

/** What has another name is gone for whoever knows the old one; only components are not called. */
function splitName(pair: Pair, difference: Difference): readonly Difference[] {
  const { property, base, revision, typeName } = difference
  if (property !== 'key' || base === undefined || revision === undefined) return [difference]
  const isComponent = toSegments(base.pointer).length === 3 && base.pointer.startsWith('#/comp')
  const isSamePath = typeName === 'PathItem' && shape(base.pointer) === shape(revision.pointer)
  if (isComponent || isSamePath) return [difference]
  const { property: _, base: __, revision: ___, ...rest } = difference
  return [
    { ...rest, kind: 'removed', base: toSide(pair.base, base.pointer) },
    // The verdict is on what was removed.
    {
      ...{ ...rest, kind: 'added', impact: 'minor', verdicts: [] },
      revision: toSide(pair.current, revision.pointer),
    },
  ]
}

function shape(pointer: string): string {
  return pointer.replaceAll(/\{[^}]*\}/g, '{}')
}

/** A path that came or went is told as its operations. */
function splitPath(difference: Difference): readonly Difference[] {
  const { typeName, kind, base, revision } = difference
  const side = base ?? revision
  if (typeName !== 'PathItem' || kind === 'modified' || side === undefined) return [difference]
  const operations = Object.keys(toObject(side.value)).filter((key) => methods.includes(key))
  return operations.map((method) => {
    const part = toSide(side.value, method, toChild(side.pointer, method))
    const sides = base === undefined ? { revision: part } : { base: part }
    const path = toChild(difference.path, method)
    return { ...difference, ...sides, typeName: 'Operation', path }
  })
}

function toSide(root: unknown, key: string, pointer = key): Side {
  // Descriptions are JSON, and so is every part of them.
  return { pointer, value: valueAt(root, toSegments(key)) as Json }
}
