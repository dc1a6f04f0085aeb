import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { createTextWriter, type TextWriter, toWriteFault } from './text-writer.ts'

/** A file that appears, whole, when it is kept; until then there is another beside it. */
export interface OutputFile {
  readonly write: TextWriter['write']
  /** Puts it in its place, on the disk. */
  readonly keep: () => Promise<void>
  /** Leaves nothing of it behind. */
  readonly drop: () => Promise<void>
}

/** Begins a file; what is there and is no file, such as a device or a pipe, is written to as it is. */
export async function createOutput(name: string): Promise<OutputFile> {
  const refuse = (cause: unknown): never => {
    throw toWriteFault(name, cause)
  }
  const isReplaced = (await stat(name).catch(() => undefined))?.isFile() ?? true
  const written = isReplaced ? `${name}.${randomUUID().slice(0, 8)}.partial` : name
  const handle = await open(written, isReplaced ? 'wx' : 'w').catch(refuse)
  const stream = createWriteStream(written, { fd: handle, flush: isReplaced })
  const { write, end } = createTextWriter(stream, name)
  return {
    write,
    async keep() {
      await end()
      if (isReplaced) await rename(written, name).catch(refuse)
    },
    async drop() {
      stream.destroy()
      if (isReplaced) await rm(written, { force: true })
    },
  }
}
