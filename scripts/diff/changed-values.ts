import { dirname } from 'node:path'
import { stringify } from 'yaml'
import type { Location } from '../../server/description/location.ts'
import { pointerKeys } from '../../server/description/pointer.ts'
import type { Sources } from '../pipeline/sources.ts'
import type { ChangedValues } from './contract-diff.ts'

/** A place in the files of a description. */
interface Place {
  readonly sources: Sources
  readonly at: Location
}

/** Longer values, such as whole schemas, are not read as a difference. */
const mostLines = 12

/** Returns the value of a place before and after a change; undefined where one is long, or both are the same. */
export function readChangedValues(base: Place, current: Place): ChangedValues | undefined {
  const before = printValue(base)
  const after = printValue(current)
  if (before === undefined || after === undefined || before === after) {
    return undefined
  }
  return { before, after }
}

/** Returns the value of a place as YAML, under its key; undefined if there is none or it is long. */
function printValue({ sources, at }: Place): string | undefined {
  const value = sources.valueAt(at)
  if (value === undefined) {
    return undefined
  }
  const key = pointerKeys(at.pointer).at(-1) ?? ''
  const isItem = key === '' || /^\d+$/.test(key)
  const printed = stringify(isItem ? value : { [key]: value }, { lineWidth: 0 }).trimEnd()
  if (printed.split('\n').length > mostLines) {
    return undefined
  }
  // A reference into another file of the description has its absolute path here.
  return printed.replaceAll(`${dirname(sources.file)}/`, '')
}
