import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { FileFault } from './file-fault.ts'

/** Where the faults of a file are written, a line each. */
export interface FaultList {
  readonly tell: (line: string) => Promise<void>
  readonly end: () => Promise<void>
}

/** Writes faults to a stream that stays open. */
export function listFaultsOn(stream: Writable): FaultList {
  return {
    async tell(line) {
      // Whoever reads slowly is waited for, or what they have not read would fill the memory.
      if (!stream.write(`${line}\n`)) await once(stream, 'drain')
    },
    end: async () => undefined,
  }
}

/** Writes faults into a file, in the place of what was in it. */
export async function listFaultsIn(file: string): Promise<FaultList> {
  const handle = await open(file, 'w').catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new FileFault(`Cannot write ${file}: ${reason}.`, { cause })
  })
  const stream = createWriteStream(file, { fd: handle })
  return {
    tell: listFaultsOn(stream).tell,
    async end() {
      stream.end()
      await once(stream, 'close')
    },
  }
}
