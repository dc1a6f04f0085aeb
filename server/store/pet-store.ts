import type { Schema } from '../contract/handler.ts'

export type Pet = Schema<'Pet'>
export type NewPet = Schema<'NewPet'>

/** Which animals a page holds: those after an id, in ascending order of id. */
export interface PageQuery {
  readonly after: number
  readonly limit: number
  readonly status: Pet['status'] | undefined
}

/** What makes an addition happen once, however often it is asked for. */
export interface Once {
  /** Whose keys these are: the same `key` of two callers is two keys. */
  readonly callerId: string
  readonly key: string
  /** Equal for equal animals. */
  readonly fingerprint: string
  /** Until when a repetition is recognised, in milliseconds since 1970. */
  readonly expiresAt: number
}

export type Addition =
  | { readonly kind: 'added' | 'repeated'; readonly animal: Pet }
  /** The key was used for another animal. */
  | { readonly kind: 'reused' }
  /** The first addition under the key is not finished. */
  | { readonly kind: 'in-progress' }

/** Keeps animals. An animal that was added stays as it is, and ids only grow. */
export interface PetStore {
  /** Adds an animal; when the promise resolves, it survives a crash. */
  readonly add: (animal: NewPet, once?: Once) => Promise<Addition>
  readonly find: (id: number) => Promise<Pet | undefined>
  readonly page: (query: PageQuery) => Promise<Pet[]>
  /** The highest id that an animal has; 0 where there is none. */
  readonly lastId: () => Promise<number>
}
