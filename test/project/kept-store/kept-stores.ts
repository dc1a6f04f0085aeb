import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { compareVersions } from '../../../scripts/diff/contract-diff.ts'
import { isVersion } from '../../../scripts/pipeline/version.ts'

const storesFolder = join(import.meta.dirname, '../../api/kept-store')

/** The file with which an API fills the stores that are kept; an API without it keeps none. */
export const fillerFile = join(storesFolder, 'fill-store.ts')

/** An empty database that is filled. */
export interface EmptyStore {
  /** Its `DATABASE_URL`. */
  readonly url: string
  readonly engine: 'sqlite' | 'postgresql'
  /** Runs a statement on a connection of its own. */
  readonly execute: (sql: string) => Promise<unknown>
}

/** What `fill-store.ts` of an API exports. */
export interface StoreFiller {
  /**
   * Fills a store with the programs of the project, and kills the last one; resolves with what a client
   * knows of the content, which is kept as JSON.
   */
  readonly fillStore: (store: EmptyStore) => Promise<object>
}

/** Selects the migrations that a store has. */
export const selectMigrations = 'SELECT name FROM applied_migrations ORDER BY name'

/** What `contents.json` says of the stores of a version. */
interface KeptContents<Contents> {
  readonly migrations: readonly string[]
  readonly sqlite: Contents
  readonly postgresql: Contents
}

/** Stores that the release of a version has kept. */
export type KeptStore = ReturnType<typeof readKeptStores>[number]

/** Returns the folder with the stores of a version. */
export function folderOf(version: string): string {
  return join(storesFolder, version)
}

/** Returns the stores that releases have kept, the oldest first. */
export function readKeptStores<Contents>() {
  if (!existsSync(storesFolder)) {
    return []
  }
  const versions = readdirSync(storesFolder).filter(isVersion).toSorted(compareVersions)
  return versions.map((version) => {
    const read = (name: string) => readFileSync(join(folderOf(version), name))
    const contents: KeptContents<Contents> = JSON.parse(read('contents.json').toString())
    return { version, ...contents, unpack: (name: string) => gunzipSync(read(`${name}.gz`)) }
  })
}
