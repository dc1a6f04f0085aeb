import type { Emit } from './compare-annotations.ts'
import type { Compared } from './compare-schemas.ts'
import { missingFrom } from './schema-changes.ts'
import type { Pair } from './words.ts'

/** Compares which properties are required where another one is there. */
export function compareDependentRequired(
  pair: Pair,
  { base, current }: Compared,
  emit: Emit,
): void {
  const names = new Set([...base.dependentRequired.keys(), ...current.dependentRequired.keys()])

  for (const name of names) {
    const before = base.dependentRequired.get(name)
    const after = current.dependentRequired.get(name)
    const at = pair.between(before?.at, after?.at)
    const about = { subject: pair.nameOf(at) }

    const added = missingFrom(after?.value ?? [], before?.value ?? [])
    if (added.length > 0) {
      emit('dependent-required-added', about, at)
    }

    const removed = missingFrom(before?.value ?? [], after?.value ?? [])
    if (removed.length > 0) {
      emit('dependent-required-removed', about, at)
    }
  }
}
