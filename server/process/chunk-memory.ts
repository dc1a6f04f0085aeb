import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that are read before the memory of what was read is freed. */
const collectionSize = 8_000_000

/** Frees the youngest memory that is no longer used; undefined until it is needed. */
let collect: (() => void) | undefined

/**
 * Counts bytes that are read for a short time only, and has V8 free them. By itself it does so after about 64 MB,
 * because it counts objects of JavaScript, which are few beside the bytes that they hold.
 */
export class ChunkMemory {
  #size = 0

  count(size: number): void {
    this.#size += size
    if (this.#size < collectionSize) {
      return
    }
    this.#size = 0
    collect ??= exposeCollection()
    collect()
  }
}

function exposeCollection(): () => void {
  setFlagsFromString('--expose-gc')
  const collectGarbage: (options: { readonly type: 'minor' }) => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return () => collectGarbage({ type: 'minor' })
}
