import type { Emit } from './compare-annotations.ts'
import type { Compared } from './compare-schemas.ts'
import { isSameContains, meanTheSame } from './same-meaning.ts'
import type { Contains } from './schema/schema.ts'
import { pairDifferent, type Row } from './schema-changes.ts'
import type { Pair } from './words.ts'

/** Compares the items of which arrays have some number; those with the same schema differ in their numbers alone. */
export function compareContains(pair: Pair, compared: Compared, emit: Emit): void {
  const { base, current } = compared
  const differing = pairDifferent(base.contains, current.contains, isSameContains)
  const lost = differing.flatMap(([before]) => before ?? [])
  const gained = differing.flatMap(([, after]) => after ?? [])
  for (const before of [...lost]) {
    const after = gained.find((each) => meanTheSame(before.schema(), each.schema()))
    if (after === undefined) {
      continue
    }
    lost.splice(lost.indexOf(before), 1)
    gained.splice(gained.indexOf(after), 1)
    compareOne(pair, emit, [before, after])
  }
  for (const row of pairDifferent(lost, gained, () => false)) {
    compareOne(pair, emit, row)
  }
}

function compareOne(pair: Pair, emit: Emit, [before, after]: Row<Contains>): void {
  const at = pair.between(before?.at, after?.at)
  const about = { subject: pair.nameOf(at) }
  if (before === undefined) {
    emit('contains-added', about, at)
  } else if (after === undefined) {
    emit('contains-removed', about, at)
  } else {
    emit(stemOf(before, after), about, at)
  }
}

/** Returns the rule for `contains` with other numbers, or another schema. */
function stemOf(before: Contains, after: Contains) {
  if (!meanTheSame(before.schema(), after.schema())) {
    return 'contains-changed'
  }
  const highest = ({ maximum = Number.POSITIVE_INFINITY }: Contains) => maximum
  const isNarrower = after.minimum >= before.minimum && highest(after) <= highest(before)
  const isWider = after.minimum <= before.minimum && highest(after) >= highest(before)
  if (isNarrower === isWider) {
    return 'contains-changed'
  }
  return isNarrower ? 'contains-specialized' : 'contains-generalized'
}
