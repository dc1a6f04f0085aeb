import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Files } from './files.ts'

/** Puts files back as they were. */
export type Undo = () => Promise<void>

/** Writes all of the files or none, and says how to undo it. */
export async function writeFiles(files: Files): Promise<Undo> {
  const before = new Map<string, string | undefined>()
  for (const file of files.keys()) {
    before.set(file, existsSync(file) ? await readFile(file, 'utf8') : undefined)
  }
  const undo = () => replace(before)
  try {
    await replace(files)
    return undo
  } catch (error) {
    await undo()
    throw error
  }
}

// All are written before the first is put in its place, so that a full disk stops none halfway.
async function replace(files: ReadonlyMap<string, string | undefined>): Promise<void> {
  const temporary = (file: string) => `${file}.${process.pid}.tmp`
  try {
    for (const [file, text] of files) {
      await mkdir(dirname(file), { recursive: true })
      if (text !== undefined) await writeFile(temporary(file), text)
    }
    for (const [file, text] of files) {
      await (text === undefined ? rm(file, { force: true }) : rename(temporary(file), file))
    }
  } finally {
    for (const file of files.keys()) await rm(temporary(file), { force: true })
  }
}
