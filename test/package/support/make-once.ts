import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

const made = new Map<string, Promise<string>>()

/**
 * Gives a folder, and makes it for whoever asks first. Two workers that ask at once may both make
 * it; what is ready later is thrown away.
 */
export function makeOnce(folder: string, make: (fresh: string) => Promise<void>): Promise<string> {
  const known = made.get(folder) ?? makeUnlessThere(folder, make)
  made.set(folder, known)
  return known
}

async function makeUnlessThere(
  folder: string,
  make: (fresh: string) => Promise<void>,
): Promise<string> {
  if (existsSync(folder)) return folder
  await mkdir(dirname(folder), { recursive: true })
  const fresh = await mkdtemp(`${folder}.`)
  try {
    await make(fresh)
    await rename(fresh, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  return folder
}
