import { isDeepStrictEqual } from 'node:util'
import type { DescriptionPart, Header, Parameter } from '../../server/description/description.ts'
import type { JsonObject } from '../../server/description/json.ts'
import { toKey } from '../../server/description/location.ts'
import { toChild } from '../../server/description/pointer.ts'
import type { ComparedDescription } from './compared-description.ts'
import type { Places, Recorder } from './recorder.ts'
import type { Pair } from './words.ts'

/** Compares the texts, the examples and the unknown keywords of two parts of descriptions. */
export function compareParts(
  pair: Pair,
  recorder: Recorder,
  base: DescriptionPart,
  current: DescriptionPart,
): void {
  const placeOf = (key: string): Places => {
    const keyword = key.replace(/^path /, '')
    return { base: below(base, keyword), current: below(current, keyword) }
  }
  const subject = pair.nameOf({ base: base.at, current: current.at })
  for (const [key] of changedKeys(base.texts, current.texts)) {
    recorder.record('text-reworded', { subject, keyword: key }, placeOf(key))
  }
  const [before, after] = [base.examples, current.examples].map(listExamples)
  if (!isDeepStrictEqual(before, after)) {
    recorder.record('example-changed', { subject }, { base: base.at, current: current.at })
  }
  for (const [key, old, now] of changedKeys(base.others, current.others)) {
    const keyword = key.replace(/^path /, '')
    const id = keyword.startsWith('x-') ? 'extension-changed' : 'unknown-keyword-changed'
    recorder.record(id, { subject, keyword, before: old, after: now }, placeOf(key))
  }
}

/** Returns a key for two parts: where they are, and what stands beside the references that lead there. */
export function keyOfParts(base: DescriptionPart, current: DescriptionPart): string {
  const stated = [base, current].map(({ texts, others }) => JSON.stringify([texts, others]))
  return `${toKey(base.at)} ${toKey(current.at)} ${stated.join(' ')}`
}

/** Returns the keys of which two objects have different values, with both. */
export function changedKeys(before: JsonObject, after: JsonObject) {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys]
    .map((key) => [key, before[key], after[key]] as const)
    .filter(([, old, now]) => !isDeepStrictEqual(old, now))
}

/** Returns the keywords that say how the values of both are written, and say it differently. */
export function changedForms(pair: Pair, base: Parameter | Header, current: Parameter | Header) {
  const changed = changedKeys(base.form, current.form)
  const isEach = hasItems(pair.base, base) && hasItems(pair.current, current)
  return isEach ? changed : changed.filter(([keyword]) => keyword !== 'explode')
}

/** Returns whether a value may be a list or an object, of which `explode` says how it is written. */
function hasItems(description: ComparedDescription, { schema }: Parameter | Header): boolean {
  if (schema === undefined) {
    return false
  }
  const { types } = description.readSchema(schema)
  return types.has('array') || types.has('object')
}

// One `example` is the same as one of `examples`, whatever its name.
function listExamples({ example, examples }: JsonObject): unknown {
  if (examples !== undefined) {
    return examples
  }
  return example === undefined ? undefined : { example: { value: example } }
}

function below({ at }: DescriptionPart, key: string) {
  return { file: at.file, pointer: toChild(at.pointer, key) }
}
