import type { ImportStore } from './import-store.ts'
import type { KeyStore, UsageStore } from './key-store.ts'
import type { PetStore } from './pet-store.ts'

/** Options for opening a store. */
export interface StoreOptions {
  /** Most connections to PostgreSQL. */
  readonly poolSize?: number
  /** Milliseconds that PostgreSQL may take for a piece of work; by default what a request can wait for. */
  readonly timeout?: number
  /** Called with one line when permissions of SQLite files were changed, or should have been. */
  readonly onRestricted?: (notice: string) => void
  /** Called with one line when other users can read the folder of an SQLite file. */
  readonly onReadableFolder?: (notice: string) => void
}

/** The connections of a pool, and the requests for one. */
export interface Connections {
  /** Most connections that the pool opens. */
  readonly most: number
  readonly busy: number
  readonly idle: number
  /** Requests that wait until a connection is free. */
  readonly waiting: number
}

/** Everything that the service stores, in any engine. */
export interface Store {
  readonly pets: PetStore
  readonly keys: KeyStore
  readonly usage: UsageStore
  readonly imports: ImportStore
  /** A secret of 32 bytes that all instances on the store share and that survives restarts. */
  readonly secret: Uint8Array
  /** Rejects with `StoreUnavailable` when the store cannot respond. */
  readonly ping: () => Promise<void>
  /** Absent where the store has no connection pool. */
  readonly connections?: () => Connections
  readonly close: () => Promise<void>
}
