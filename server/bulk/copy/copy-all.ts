import {
  animalOf,
  animals,
  apiKeys,
  type CopiedRow,
  idempotencyKeys,
  imports,
  keyUsage,
} from '../../store/copy/copied-tables.ts'
import { CopyRefused } from './copy-refused.ts'
import type { CopiedSums, Copying, PageCopy } from './copy-table.ts'
import { copyNamed } from './named.ts'
import { copyNumbered } from './numbered.ts'
import { refuseStrangers } from './strangers.ts'

/** How often all is compared again where the source changes meanwhile. */
const mostRounds = 20

/** What both sides hold at the end of a copy. */
export interface WholeCopy {
  readonly tables: readonly CopiedSums[]
  /** The highest id that was there when the copy was compared; what came later is not in it. */
  readonly upTo: number
}

/**
 * Copies all that a store holds, while it may be in service: first the animals, as long as new ones
 * come, then everything up to the animal that is the last one then, until nothing of that is
 * missing any more.
 */
export async function copyAll(copying: Copying): Promise<WholeCopy> {
  await copyNumbered(copying, animals)
  const upTo = await copying.source.last(animals)
  for (let round = 1; round <= mostRounds; round++) {
    const tables = [
      await copyNumbered(copying, animals, upTo),
      await copyNumbered(copying, apiKeys),
      await copyNamed(copying, idempotencyKeys, chooseOf(copying, upTo)),
      await copyNamed(copying, keyUsage),
      await copyNamed(copying, imports),
    ]
    const isSettled = tables.every(
      ({ table, put, left }) => left + (table === animals ? put : 0) === 0,
    )
    if (!isSettled) continue
    // Numbered tables were compared by ranges, in which others would have shown.
    for (const table of [idempotencyKeys, keyUsage, imports]) await refuseStrangers(copying, table)
    return { tables, upTo }
  }
  throw new CopyRefused('The source does not come to rest. Stop the service on it, and copy again.')
}

// Keys of animals that are newer than the copy are not in it. One whose animal came to light after
// the animals were copied waits for the next round.
function chooseOf({ target }: Copying, upTo: number): PageCopy['choose'] {
  return async (rows) => {
    const wanted = rows.filter((row) => animalOf(row) <= upTo)
    const ids = new Set(wanted.map(animalOf))
    const found = ids.size === 0 ? [] : await target.like(animals, [...ids].map(toKey))
    const known = new Set(found.map(([id]) => id))
    const chosen = wanted.filter((row) => known.has(animalOf(row)))
    return { rows: chosen, left: wanted.length - chosen.length, isLast: false }
  }
}

function toKey(id: number): CopiedRow {
  return [id]
}
