import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { compareVersions, isVersion } from '../../../scripts/diff/contract-diff.ts'
import type { Contents } from '../../api/kept-store/fill-store.ts'

const storesFolder = join(import.meta.dirname, '../../api/kept-store')

/** Selects the migrations that a store has. */
export const selectMigrations = 'SELECT name FROM applied_migrations ORDER BY name'

/** What `contents.json` says of the stores of a version. */
interface KeptContents {
  readonly migrations: readonly string[]
  readonly sqlite: Contents
  readonly postgresql: Contents
}

/** Returns the folder with the stores of a version. */
export function folderOf(version: string): string {
  return join(storesFolder, version)
}

/** Returns the stores that releases have kept, the oldest first. */
export function readKeptStores() {
  const versions = readdirSync(storesFolder).filter(isVersion).toSorted(compareVersions)
  return versions.map((version) => {
    const read = (name: string) => readFileSync(join(folderOf(version), name))
    const contents: KeptContents = JSON.parse(read('contents.json').toString())
    return { version, ...contents, unpack: (name: string) => gunzipSync(read(`${name}.gz`)) }
  })
}
