import { type Document, escapePointer, type Located } from './document.ts'
import { isList, isObject, type Json, show, toObject } from './json.ts'

/**
 * Returns where two descriptions mean different things, by their pointers from the root. A reference means what
 * it leads to: one description may have several files, and the other one.
 */
export function listDifferences(before: Document, after: Document): readonly string[] {
  const differences: string[] = []
  const compared = new Set<string>()

  function compare(left: Located, right: Located, at: string): void {
    if (differences.length >= 20) {
      return
    }
    const pair = `${left.file}#${left.pointer} ${right.file}#${right.pointer}`
    const isKnown = compared.has(pair)
    compared.add(pair)
    if (isKnown) {
      return
    }

    const [from, to] = [behindReference(before, left), behindReference(after, right)]
    if (from !== left || to !== right) {
      compareSiblings(left, right, at)
      compare(from, to, at)
      return
    }
    compareValues(left, right, at)
  }

  /** Compares what stands beside references. */
  function compareSiblings(left: Located, right: Located, at: string): void {
    const [own, other] = [siblingsOf(left), siblingsOf(right)]
    if (own !== undefined && other !== undefined && show(own) !== show(other)) {
      differences.push(`${at}: beside the reference is ${show(other)}, not ${show(own)}`)
    }
  }

  function compareValues(left: Located, right: Located, at: string): void {
    const keys = keysOf(left.value)
    const otherKeys = keysOf(right.value)
    if (keys !== undefined && otherKeys !== undefined) {
      for (const key of new Set([...keys, ...otherKeys])) {
        compareMembers(memberOf(left, key), memberOf(right, key), `${at}/${escapePointer(key)}`)
      }
      return
    }
    if (left.value !== right.value) {
      differences.push(`${at}: ${show(right.value)}, not ${show(left.value)}`)
    }
  }

  function compareMembers(left: Located | undefined, right: Located | undefined, at: string): void {
    if (left === undefined || right === undefined) {
      differences.push(`${at} was ${right === undefined ? 'removed' : 'added'}`)
      return
    }
    compare(left, right, at)
  }

  compare(before.root, after.root, '')
  return differences
}

/** Returns what a reference leads to; the same place if it is no reference, or leads nowhere. */
function behindReference(document: Document, located: Located): Located {
  const reference = isObject(located.value) ? located.value['$ref'] : undefined
  if (typeof reference !== 'string') {
    return located
  }
  return document.resolve(reference, located) ?? located
}

function siblingsOf({ value }: Located): Json | undefined {
  if (!isObject(value) || typeof value['$ref'] !== 'string') {
    return undefined
  }
  const { $ref: _, ...siblings } = value
  return siblings
}

function keysOf(value: Json): readonly string[] | undefined {
  return isObject(value) || isList(value) ? Object.keys(value) : undefined
}

function memberOf(parent: Located, key: string): Located | undefined {
  const { value } = parent
  const member = isList(value) ? value[Number(key)] : toObject(value)[key]
  const pointer = `${parent.pointer}/${escapePointer(key)}`
  return member === undefined ? undefined : { value: member, file: parent.file, pointer }
}
