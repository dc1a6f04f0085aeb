import { isMap, isScalar, Pair, Scalar } from 'yaml'
import type { Edit } from '../../pipeline/support/spec-edit.ts'

/** Adds copies of all operations under other paths and names until there are this many. */
export function operationsMultiplied(wanted: number): Edit {
  return (description) => {
    const paths = description.get('paths')
    if (!isMap(paths)) throw new Error('the description has no paths any more')
    const originals = [...paths.items]
    for (let copy = 1, count = countOperations(originals); count < wanted; copy++) {
      for (const original of originals) {
        if (count >= wanted) return
        const added = copyOf(original, copy)
        paths.items.push(added)
        count += countOperations([added])
      }
    }
  }
}

function countOperations(items: readonly Pair[]): number {
  return items.reduce((sum, { value }) => sum + (isMap(value) ? value.items.length : 0), 0)
}

function copyOf({ key, value }: Pair, copy: number): Pair {
  if (!isMap(value) || !isScalar(key)) throw new Error('a path is a key with a path item')
  const pathItem = value.clone()
  if (!isMap(pathItem)) throw new Error('the copy of a map is a map')
  for (const { value: operation } of pathItem.items) {
    if (!isMap(operation)) throw new Error('a path item holds operations alone')
    operation.set('operationId', `${operation.get('operationId')}${copy}`)
  }
  return new Pair(new Scalar(`/copy${copy}${key.value}`), pathItem)
}
