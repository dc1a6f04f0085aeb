import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { getSystemErrorMessage } from 'node:util'
import { FileFault } from './file-fault.ts'
import type { Bytes } from './record.ts'

/** A file that can be read more than once. */
export interface InputFile {
  readonly size: number
  /** Its bytes from the start. */
  readonly bytes: () => Bytes
  readonly close: () => Promise<void>
}

/** Opens a file, or standard input for `-`; what can be read but once is kept in a file meanwhile. */
export async function openInput(name: string, standardInput: Readable): Promise<InputFile> {
  if (name === '-') return keep('standard input', standardInput)
  const handle = await open(name, 'r').catch((error: unknown) => refuse(name, error))
  const found = await handle.stat()
  if (found.isDirectory()) {
    await handle.close()
    throw new FileFault(`Cannot read ${name}: it is a folder.`)
  }
  if (found.isFile()) return toInput(handle, found.size)
  return keep(name, handle.createReadStream())
}

function refuse(name: string, error: unknown): never {
  throw new FileFault(`Cannot read ${name}: ${reasonOf(error)}.`, { cause: error })
}

function reasonOf(error: unknown): string {
  const errno = error instanceof Error && 'errno' in error ? Number(error.errno) : undefined
  return errno === undefined ? String(error) : getSystemErrorMessage(errno)
}

/** Writes bytes into a temporary file without a name, so that it is gone with the process. */
async function keep(what: string, bytes: Bytes | Readable): Promise<InputFile> {
  const folder = tmpdir()
  const cannotCopy = (cause: unknown): never => {
    const problem = `Cannot copy ${what} to a temporary file in ${folder}: ${reasonOf(cause)}.`
    throw new FileFault(`${problem} Set TMPDIR to a writable folder with enough space.`, { cause })
  }
  const handle = await openUnnamed(folder).catch(cannotCopy)
  let size = 0
  for await (const chunk of bytes) {
    await handle.writeFile(chunk).catch(cannotCopy)
    size += chunk.length
  }
  return toInput(handle, size)
}

async function openUnnamed(parent: string): Promise<FileHandle> {
  const folder = await mkdtemp(join(parent, 'animal-store-import-'))
  try {
    return await open(join(folder, 'input'), 'wx+', 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function toInput(handle: FileHandle, size: number): InputFile {
  return {
    size,
    bytes: () => handle.createReadStream({ start: 0, autoClose: false }),
    close: () => handle.close(),
  }
}
