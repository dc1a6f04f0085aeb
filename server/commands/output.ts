import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CommandError } from './command.ts'

/**
 * Writes texts to a stream, no faster than they are taken; rejects with a `CommandError` that names
 * the stream if that fails. A reader such as `head`, which closes a pipe when it has enough, is no
 * failure.
 */
export async function writeTo(
  stream: Writable,
  name: string,
  texts: AsyncIterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  // Standard error is used again afterwards.
  const options = { end: stream !== process.stderr, ...(signal && { signal }) }
  try {
    await pipeline(texts, stream, options)
  } catch (error) {
    signal?.throwIfAborted()
    // Errors of what makes the texts are not about the stream.
    if (!(error instanceof Error && 'syscall' in error) || error.syscall === 'read') throw error
    if ('code' in error && error.code === 'EPIPE') return
    throw new CommandError(`Cannot write ${name}: ${error.message}.`, { cause: error })
  }
}
