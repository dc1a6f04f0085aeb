import type { Emit } from './compare-annotations.ts'
import { changedKeys } from './compare-parts.ts'
import type { Compared } from './compare-schemas.ts'
import type { Recorder } from './recorder.ts'
import type { Pair } from './words.ts'

/** Compares which property names the form of an object, and what its values lead to. */
export function compareDiscriminators(
  pair: Pair,
  recorder: Recorder,
  { base, current }: Compared,
  emit: Emit,
): void {
  const [before, after] = [base.discriminators[0], current.discriminators[0]]
  const at = pair.between(before?.at, after?.at)
  const about = { subject: pair.nameOf(at) }

  if (before === undefined && after === undefined) {
    return
  }

  if (before === undefined) {
    emit('discriminator-added', about, at)
    return
  }

  if (after === undefined) {
    emit('discriminator-removed', about, at)
    return
  }

  if (before.propertyName !== after.propertyName) {
    const facts = { ...about, before: before.propertyName, after: after.propertyName }
    emit('discriminator-property-name-changed', facts, at)
  }

  for (const name of new Set([...before.mapping.keys(), ...after.mapping.keys()])) {
    const old = pointerOf(before.mapping.get(name))
    const now = pointerOf(after.mapping.get(name))
    if (old !== now) {
      emit(stemOfMapping(old, now), { ...about, name }, at)
    }
  }

  const oldDefault = pointerOf(before.defaultTarget)
  const newDefault = pointerOf(after.defaultTarget)

  if (oldDefault !== newDefault) {
    const facts = { ...about, before: oldDefault, after: newDefault }
    emit('discriminator-default-changed', facts, at)
  }

  for (const [keyword, old, now] of changedKeys(before.others, after.others)) {
    const id = keyword.startsWith('x-') ? 'extension-changed' : 'unknown-keyword-changed'
    recorder.record(id, { ...about, keyword, before: old, after: now }, at)
  }
}

/** Returns what has happened to a value of the mapping, by the schema to which it led and leads. */
function stemOfMapping(old: string | undefined, now: string | undefined) {
  if (old === undefined) {
    return 'discriminator-mapping-added'
  }
  if (now === undefined) {
    return 'discriminator-mapping-deleted'
  }
  return 'discriminator-mapping-changed'
}

/** Returns where in its file a schema is, as the two descriptions are in different files. */
function pointerOf(target: string | undefined): string | undefined {
  return target?.split('#')[1]
}
