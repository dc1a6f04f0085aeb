import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { FileFault } from './file-fault.ts'

/** A file that appears, whole, when it is kept; until then there is another beside it. */
export interface OutputFile {
  readonly stream: Writable
  /** Puts it in its place, on the disk. */
  readonly keep: () => Promise<void>
  /** Leaves nothing of it behind. */
  readonly drop: () => Promise<void>
}

/** Begins a file. */
export async function createOutput(name: string): Promise<OutputFile> {
  const partial = `${name}.${randomUUID().slice(0, 8)}.partial`
  const refuse = (cause: unknown): never => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new FileFault(`Cannot write ${name}: ${reason}.`, { cause })
  }
  const handle = await open(partial, 'wx').catch(refuse)
  const stream = createWriteStream(partial, { fd: handle, flush: true })
  return {
    stream,
    async keep() {
      stream.end()
      await once(stream, 'close').catch(refuse)
      await rename(partial, name).catch(refuse)
    },
    async drop() {
      stream.destroy()
      await rm(partial, { force: true })
    },
  }
}
