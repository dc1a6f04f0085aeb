import { createHash } from 'node:crypto'
import type { Bytes } from './record.ts'

/** Bytes on their way through, with what is known of them so far. */
export interface CountedBytes {
  readonly bytes: Bytes
  /** How many have passed. */
  readonly passed: () => number
  /** The SHA-256 of a label and of all of them, in hexadecimal; to be asked for once, at their end. */
  readonly digest: () => string
}

/** Counts bytes, and makes their digest, while somebody reads them. */
export function countBytes(source: Bytes, label: string): CountedBytes {
  const hash = createHash('sha256').update(`${label}\n`)
  let passed = 0
  async function* through(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      hash.update(chunk)
      passed += chunk.length
      yield chunk
    }
  }
  return { bytes: through(), passed: () => passed, digest: () => hash.digest('hex') }
}
