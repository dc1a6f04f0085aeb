import type { ImportStore } from './import-store.ts'
import type { KeyStore } from './key-store.ts'
import type { PetStore } from './pet-store.ts'
import type { UsageStore } from './usage-store.ts'

/** Connections to a store, and requests for one. */
export interface Connections {
  /** How many there may be. */
  readonly most: number
  readonly busy: number
  readonly idle: number
  /** Requests that wait until one is free. */
  readonly waiting: number
}

/** Everything that the service keeps, whatever keeps it. */
export interface Store {
  readonly pets: PetStore
  readonly keys: KeyStore
  readonly usage: UsageStore
  readonly imports: ImportStore
  /** A secret that all instances on the store share and that outlives them, 32 bytes. */
  readonly secret: Uint8Array
  /** Rejects with `StoreUnavailable` when the store cannot answer. */
  readonly ping: () => Promise<void>
  /** Absent where the store is not reached over connections. */
  readonly connections?: () => Connections
  readonly close: () => Promise<void>
}
