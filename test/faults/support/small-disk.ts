import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createTemporaryFolder } from '../../support/temporary-folder.ts'

/** A file system of its own, which can be filled. */
export interface SmallDisk {
  readonly folder: string
  /** Fills it to the last byte; gives what makes room again. */
  readonly fill: () => () => void
}

/** Makes a disk of 4 MB in memory, or nothing where this process may not mount one. */
export function createSmallDisk(): SmallDisk | undefined {
  const folder = createTemporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'animal-store-test', folder], {
      stdio: 'ignore',
    })
  } catch {
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return { folder, fill: () => fill(join(folder, 'ballast')) }
}

function fill(file: string): () => void {
  const descriptor = openSync(file, 'w')
  for (let size = 2 ** 20; size > 0; size >>= 1) {
    try {
      for (;;) writeSync(descriptor, Buffer.alloc(size))
    } catch {
      // As much did not fit; half of it may.
    }
  }
  closeSync(descriptor)
  return () => rmSync(file)
}
