import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
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
  bytesRead = 0

  /** The label is part of the digest. */
  constructor(file: FileHandle, label: string) {
    this.#file = file
    this.#hash.update(`${label}\n`)
  }

  /** Yields the bytes of the file, without the byte order mark that Excel puts at the start. */
  async *bytes(): AsyncGenerator<Buffer> {
    for await (const chunk of this.#file.createReadStream({ start: 0, autoClose: false })) {
      const isMarked = this.bytesRead === 0 && chunk.indexOf(byteOrderMark) === 0
      this.bytesRead += chunk.length
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
    throw new CommandError(`Cannot read ${name}: ${systemReasonOf(cause)}.`, { cause })
  })
  const found = await file.stat()
  if (found.isFile()) return file
  if (!found.isDirectory()) return copyToTemporaryFile(name, file.createReadStream())
  await file.close()
  throw new CommandError(`Cannot read ${name}: it is a folder.`)
}

async function copyToTemporaryFile(what: string, source: Readable): Promise<FileHandle> {
  try {
    const name = join(tmpdir(), `animal-store-import-${randomUUID()}`)
    const file = await open(name, 'wx+', 0o600)
    // Without a name it is gone when the process ends.
    await unlink(name)
    for await (const chunk of source) await file.writeFile(chunk)
    return file
  } catch (cause) {
    const reason = `Cannot copy ${what} to a temporary file in ${tmpdir()}: ${systemReasonOf(cause)}`
    const advice = 'Set TMPDIR to a writable folder with enough space.'
    throw new CommandError(`${reason}. ${advice}`, { cause })
  }
}

function systemReasonOf(error: unknown): string {
  const isSystemError = error instanceof Error && 'errno' in error
  return isSystemError ? getSystemErrorMessage(Number(error.errno)) : String(error)
}
