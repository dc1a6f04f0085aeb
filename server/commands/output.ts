import { randomUUID } from 'node:crypto'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError } from './command.ts'

/** Texts to write, no faster than they are taken. */
export type Texts = AsyncIterable<string>

/**
 * Writes texts to a stream; rejects with a `CommandError` that names the stream if that fails. A
 * reader such as `head`, which closes a pipe when it has enough, is no failure.
 */
export async function writeTo(
  stream: Writable,
  name: string,
  texts: Texts,
  signal?: AbortSignal,
): Promise<void> {
  // Standard error is used again afterwards.
  const options = { end: stream !== process.stderr, ...(signal && { signal }) }
  try {
    await pipeline(texts, stream, options)
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return
    throw toWriteError(name, error)
  }
}

/** Writes texts to a new file, or in place of the one that exists. */
export async function writeFile(name: string, texts: Texts, signal?: AbortSignal): Promise<void> {
  const file = await open(name, 'w').catch((error: unknown) => {
    throw toWriteError(name, error)
  })
  await writeTo(file.createWriteStream(), name, texts, signal)
}

/** Writes texts to a file that appears when it is complete; to a device or a pipe as they come. */
export async function writeWholeFile(
  name: string,
  texts: Texts,
  signal: AbortSignal,
): Promise<void> {
  const found = await stat(name).catch(() => undefined)
  if (found !== undefined && !found.isFile()) return writeFile(name, texts, signal)
  const partial = `${name}.${randomUUID().slice(0, 8)}.partial`
  try {
    const file = await open(partial, 'wx')
    await writeTo(file.createWriteStream({ flush: true }), name, texts, signal)
    await rename(partial, name)
  } catch (error) {
    await rm(partial, { force: true })
    throw toWriteError(name, error)
  }
}

// Errors of what makes the texts are not about the file.
function toWriteError(name: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error) || error.syscall === 'read') return error
  return new CommandError(`Cannot write ${name}: ${error.message}.`, { cause: error })
}
