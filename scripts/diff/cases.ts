import { isObject, toObject } from '../pipeline/description.ts'
import type { Pair } from './bundled-pair.ts'
import type { Case } from './judgement.ts'
import { toChild, toSegments, toSubject, valueAt } from './pointer.ts'
import type { Difference } from './redocly-diff.ts'
import { readUsages } from './usage.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** Adds to each difference what must be known to judge it. */
export function toCases(pair: Pair, differences: readonly Difference[]): Case[] {
  const [before, after] = [readUsages(pair.base), readUsages(pair.current)]
  return differences.flatMap(splitPath).map((difference) => {
    const { kind, base, revision } = difference
    const root = kind === 'removed' ? pair.base : pair.current
    const side = kind === 'removed' ? base : revision
    // A keyword that is gone has no place in the current description; its schema has.
    const pointer = side?.pointer ?? base?.pointer ?? difference.path
    const directions = new Set([
      ...(base === undefined ? [] : before(base.pointer)),
      ...(revision === undefined ? [] : after(revision.pointer)),
    ])
    const node = kind === 'modified' ? toParent(pointer, difference) : pointer
    const description = toObject(valueAt(root, toSegments(node)))
    return { ...difference, pointer: node, directions, subject: toSubject(root, node), description }
  })
}

function toParent(pointer: string, { property }: Difference): string {
  const isInside = property !== undefined && property !== 'key'
  return isInside && toSegments(pointer).at(-1) === property
    ? pointer.slice(0, pointer.lastIndexOf('/'))
    : pointer
}

/** A path that came or went is told as its operations. */
function splitPath(difference: Difference): readonly Difference[] {
  const { typeName, kind, base, revision } = difference
  const side = base ?? revision
  if (typeName !== 'PathItem' || kind === 'modified' || side === undefined) return [difference]
  const item = toObject(side.value)
  const operations = Object.keys(item).filter((key) => methods.includes(key) && isObject(item[key]))
  return operations.map((method) => {
    const pointer = toChild(side.pointer, method)
    // What Redocly reports is JSON, and so is every part of it.
    const value = item[method] as NonNullable<typeof side.value>
    const part = { pointer, value }
    return {
      ...difference,
      ...(base === undefined ? { revision: part } : { base: part }),
      typeName: 'Operation',
      path: toChild(difference.path, method),
    }
  })
}
