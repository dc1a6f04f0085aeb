import { existsSync, statSync } from 'node:fs'
import { StoreError } from '../errors.ts'
import { ownerOf } from './database-file.ts'
import { damaged } from './errors.ts'
import { CopyDamaged, copyWhole, type TellCopied } from './whole-copy.ts'

/**
 * Copies a database of ours, in service or not, into a file that is there when it is whole. One that
 * is there already is replaced only where that is asked for; gives the bytes of the copy.
 */
export async function backUp(
  file: string,
  target: string,
  replace: boolean,
  tell: TellCopied,
): Promise<number> {
  if (ownerOf(file) !== 'ours') throw new StoreError(`${file} is not the database of a store.`)
  refuseToReplace(file, target, replace)
  const copy = await copyWhole(file, target, tell).catch((error: unknown) => {
    throw error instanceof CopyDamaged ? damaged(file, error.message) : error
  })
  try {
    // Somebody may have been faster.
    refuseToReplace(file, target, replace)
    copy.putAt(target)
  } finally {
    copy.drop()
  }
  return statSync(target).size
}

function refuseToReplace(file: string, target: string, replace: boolean): void {
  if (!existsSync(target)) return
  const [database, found] = [statSync(file), statSync(target)]
  if (found.ino === database.ino && found.dev === database.dev) {
    throw new StoreError(`${target} is the database itself. Name another file.`)
  }
  if (!found.isFile()) throw new StoreError(`${target} is not a file. Name another one.`)
  if (replace) return
  throw new StoreError(`${target} is there already. Name another file, or add --replace.`)
}
