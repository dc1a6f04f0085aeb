import { readBaseUrl } from './base-url.ts'
import type { AnimalStoreOptions } from './options.ts'

/** What the calls of a client have in common. */
export interface Line extends AnimalStoreOptions {
  /** The deprecated operations that somebody was told of. */
  readonly told: Set<string>
  /** Whether there was never any middleware, which is promised real requests and answers. */
  isPlain: boolean
}

/** Makes what the options of a client say of all its calls; throws when they cannot be used. */
export function createLine(options: AnimalStoreOptions): Line {
  return { ...options, baseUrl: readBaseUrl(options), told: new Set(), isPlain: true }
}
