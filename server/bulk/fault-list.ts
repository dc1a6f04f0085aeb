import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { createTextWriter, toWriteFault } from './text-writer.ts'

/** Where the faults of a file are written, a line each. */
export interface FaultList {
  readonly tell: (line: string) => Promise<void>
  /** Resolves when all of them are written; may be called again. */
  readonly end: () => Promise<void>
}

/** Writes faults to a stream that stays open. */
export function listFaultsOn(stream: Writable): FaultList {
  const { write } = createTextWriter(stream, 'the list of bad records')
  // Whoever reads slowly is waited for, or what they have not read would fill the memory.
  return { tell: (line) => write(`${line}\n`), end: async () => undefined }
}

/** Writes faults into a file, in the place of what was in it. */
export async function listFaultsIn(file: string): Promise<FaultList> {
  const handle = await open(file, 'w').catch((cause: unknown) => {
    throw toWriteFault(file, cause)
  })
  const { write, end } = createTextWriter(createWriteStream(file, { fd: handle }), file)
  return { tell: (line) => write(`${line}\n`), end }
}
