import { createHash } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { getSystemErrorMessage } from 'node:util'
import { CommandError } from './command.ts'

const byteOrderMark = Buffer.from('\uFEFF')

/** Reads a file from its start, and computes its digest. */
export class FileReading {
  readonly #file: FileHandle
  readonly #hash = createHash('sha256')
  #bytesRead = 0

  /** The label is part of the digest. */
  constructor(file: FileHandle, label: string) {
    this.#file = file
    this.#hash.update(`${label}\n`)
  }

  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Yields the bytes of the file, without the byte order mark that Excel puts at the start. */
  async *bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of this.#file.createReadStream({ start: 0, autoClose: false })) {
      const isMarked = this.#bytesRead === 0 && chunk.indexOf(byteOrderMark) === 0
      this.#bytesRead += chunk.length
      this.#hash.update(chunk)
      yield isMarked ? chunk.subarray(byteOrderMark.length) : chunk
    }
  }

  /** Returns the SHA-256 of all that was read, in hexadecimal; may be called once. */
  digest(): string {
    return this.#hash.digest('hex')
  }
}

/** Opens a file that is read twice; standard input, `-`, and pipes are first copied to a temporary file. */
export async function openInput(name: string): Promise<FileHandle> {
  if (name === '-') return copyToTemporaryFile('standard input', process.stdin)
  const file = await open(name, 'r').catch((cause: unknown) => {
    throw new CommandError(`Cannot read ${name}: ${reasonOf(cause)}.`, { cause })
  })
  const found = await file.stat()
  if (found.isFile()) return file
  if (!found.isDirectory()) return copyToTemporaryFile(name, file.createReadStream())
  await file.close()
  throw new CommandError(`Cannot read ${name}: it is a folder.`)
}

// The file has no name once it is open, so that it is gone when the process ends.
async function copyToTemporaryFile(what: string, source: Readable): Promise<FileHandle> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'animal-store-import-'))
    try {
      const file = await open(join(folder, 'input'), 'wx+', 0o600)
      for await (const chunk of source) await file.writeFile(chunk)
      return file
    } finally {
      await rm(folder, { recursive: true })
    }
  } catch (cause) {
    const problem = `Cannot copy ${what} to a temporary file in ${tmpdir()}: ${reasonOf(cause)}.`
    throw new CommandError(`${problem} Set TMPDIR to a writable folder with enough space.`, {
      cause,
    })
  }
}

function reasonOf(error: unknown): string {
  const errno = error instanceof Error && 'errno' in error ? Number(error.errno) : undefined
  return errno === undefined ? String(error) : getSystemErrorMessage(errno)
}
