import { hash } from 'node:crypto'
import {
  animals,
  apiKeys,
  idempotencyKeys,
  imports,
  keyUsage,
} from '../../store/copy/copied-tables.ts'
import type { CopyStore } from '../../store/copy/copy-store.ts'
import type { Store } from '../../store/store.ts'
import { CopyRefused } from './copy-refused.ts'

/**
 * Makes a store the copy of another, whose secret it takes over: cursors stay valid. Refuses one
 * that holds anything, unless that is a copy of the same store.
 */
export async function adopt(
  source: Pick<Store, 'secret' | 'copies'>,
  target: Pick<Store, 'secret' | 'copies'>,
): Promise<void> {
  const origin = hash('sha256', source.secret)
  if ((await target.copies.origin()) === origin) return
  if (Buffer.compare(source.secret, target.secret) === 0) {
    throw new CopyRefused('The target is the source, or what that was copied from. Name another.')
  }
  if (!(await isEmpty(target.copies))) {
    const message = 'The target holds other data. Name an empty store.'
    throw new CopyRefused(message)
  }
  await target.copies.adopt(origin, source.secret)
}

async function isEmpty({ page, last }: CopyStore): Promise<boolean> {
  for (const table of [animals, apiKeys]) if ((await last(table)) > 0) return false
  for (const table of [idempotencyKeys, keyUsage, imports]) {
    if ((await page(table, undefined)).length > 0) return false
  }
  return true
}
