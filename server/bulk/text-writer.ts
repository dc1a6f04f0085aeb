import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { FileFault } from './file-fault.ts'

/** Text on its way into a file, or to whoever reads a stream. */
export interface TextWriter {
  /** Writes a text, no faster than it is taken; a signal ends the waiting. */
  readonly write: (text: string, signal?: AbortSignal) => Promise<void>
  /** Ends the stream when all of it is written; once more does no harm. */
  readonly end: () => Promise<void>
}

/** Writes to a stream of this name; whatever goes wrong with it, at any time, is a `FileFault`. */
export function createTextWriter(stream: Writable, name: string): TextWriter {
  let fault: FileFault | undefined
  // An error that nobody listens for ends the process, whoever waits for what.
  stream.on('error', (cause) => {
    fault ??= toWriteFault(name, cause)
  })
  return {
    async write(text, signal) {
      if (fault !== undefined) throw fault
      if (stream.write(text)) return
      await once(stream, 'drain', { signal }).catch((error: unknown) => {
        throw fault ?? error
      })
    },
    async end() {
      await finished(stream.end()).catch((cause: unknown) => {
        throw fault ?? toWriteFault(name, cause)
      })
    },
  }
}

/** Why a file cannot be written, in one line. */
export function toWriteFault(name: string, cause: unknown): FileFault {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new FileFault(`Cannot write ${name}: ${reason}.`, { cause })
}
