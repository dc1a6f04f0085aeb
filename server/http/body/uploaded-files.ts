import { createHash } from 'node:crypto'
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { UploadedFile } from '../../contract/content.ts'
import { ChunkMemory } from '../../process/chunk-memory.ts'
import { fileTooLarge } from './size-limit.ts'

/** The largest file that is kept in memory, in bytes. */
const maxInMemory = 65_536

/** The most bytes of the files of a request that are kept in memory. */
const maxAllInMemory = 1_000_000

/** Bytes that are written to the disk at once. */
const writeSize = 262_144

/** Bytes that are read from the disk at once. */
const readSize = 65_536

/** What a client says of a file. */
interface FileInfo {
  readonly name: string | undefined
  readonly mediaType: string
}

/**
 * The files of a request. Small ones are in memory, all others in one file on the disk, which has no name: the
 * system removes it when it is closed, however the process ends.
 */
export class UploadedFiles {
  readonly #withDigests: boolean
  #inMemory = 0
  #disk: Promise<TemporaryFile> | undefined
  #onDisk = 0
  #holders = 0

  constructor(options: { readonly withDigests: boolean }) {
    this.#withDigests = options.withDigests
  }

  /** Reads a file to its end; rejects if it is too large. */
  async add(
    info: FileInfo,
    content: AsyncIterable<Buffer>,
    maxBytes = Number.POSITIVE_INFINITY,
  ): Promise<UploadedFile> {
    const start = this.#onDisk
    const digest = this.#withDigests ? createHash('sha256') : undefined
    let chunks: Buffer[] = []
    let pending = 0
    let size = 0
    let isOnDisk = false
    for await (const chunk of content) {
      chunks.push(chunk)
      pending += chunk.length
      size += chunk.length
      if (size > maxBytes) {
        throw fileTooLarge(maxBytes)
      }
      digest?.update(chunk)
      const isSmall = size <= maxInMemory && this.#inMemory + size <= maxAllInMemory
      const isWritten = isOnDisk ? pending >= writeSize : !isSmall
      if (isWritten) {
        isOnDisk = true
        await this.#write(chunks)
        chunks = []
        pending = 0
      }
    }

    const fileInfo = { ...info, size, sha256: digest?.digest('hex') }
    if (isOnDisk) {
      const disk = await this.#write(chunks)
      return new FileOnDisk(fileInfo, disk, start)
    }
    this.#inMemory += size
    return new FileInMemory(fileInfo, Buffer.concat(chunks))
  }

  /** Keeps the files until what it returns is disposed of; the last one removes them. */
  hold(): Disposable {
    this.#holders++
    return {
      [Symbol.dispose]: () => {
        this.#holders--
        if (this.#holders === 0) {
          this.#remove().catch(() => undefined)
        }
      },
    }
  }

  async #write(chunks: readonly Buffer[]): Promise<TemporaryFile> {
    const bytes = Buffer.concat(chunks)
    this.#disk ??= openTemporaryFile()
    const disk = await this.#disk
    await disk.handle.writeFile(bytes)
    this.#onDisk += bytes.length
    return disk
  }

  async #remove(): Promise<void> {
    const disk = await this.#disk
    await disk?.remove()
  }
}

/** A file whose content was received. */
interface StoredFileInfo extends FileInfo {
  readonly size: number
  /** The SHA-256 of its bytes, in hexadecimal digits; undefined unless it was asked for. */
  readonly sha256: string | undefined
}

/** A file that is uploaded, without its content. */
abstract class StoredFile implements UploadedFile {
  readonly name: string | undefined
  readonly mediaType: string
  readonly size: number
  readonly sha256: string | undefined
  /** Bound, because handlers take it out of the file. */
  readonly stream = (): Readable => this.read()

  constructor({ name, mediaType, size, sha256 }: StoredFileInfo) {
    this.name = name
    this.mediaType = mediaType
    this.size = size
    this.sha256 = sha256
  }

  protected abstract read(): Readable
}

class FileInMemory extends StoredFile {
  readonly #bytes: Buffer

  constructor(info: StoredFileInfo, bytes: Buffer) {
    super(info)
    this.#bytes = bytes
  }

  protected override read(): Readable {
    return Readable.from(this.size === 0 ? [] : [this.#bytes], { objectMode: false })
  }
}

class FileOnDisk extends StoredFile {
  readonly #disk: TemporaryFile
  readonly #start: number

  constructor(info: StoredFileInfo, disk: TemporaryFile, start: number) {
    super(info)
    this.#disk = disk
    this.#start = start
  }

  protected override read(): Readable {
    const content = readRange(this.#disk.handle, this.#start, this.size)
    return Readable.from(content, { objectMode: false })
  }
}

/**
 * Yields a part of a file in chunks, and frees the memory of those that were read. A stream of `node:fs` would close
 * the file when its reader stops early, and all files of a request share it.
 */
async function* readRange(
  handle: FileHandle,
  start: number,
  size: number,
): AsyncGenerator<Buffer, void, undefined> {
  const memory = new ChunkMemory()
  let offset = 0
  while (offset < size) {
    const chunk = Buffer.allocUnsafeSlow(Math.min(readSize, size - offset))
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, start + offset)
    if (bytesRead === 0) {
      throw new Error('The file of an upload is cut off.')
    }
    offset += bytesRead
    yield chunk.subarray(0, bytesRead)
    memory.count(bytesRead)
  }
}

interface TemporaryFile {
  readonly handle: FileHandle
  readonly remove: () => Promise<void>
}

/** Opens a file that no other user can read, and removes its name where the system allows this for open files. */
async function openTemporaryFile(): Promise<TemporaryFile> {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'))
  const handle = await open(join(folder, 'files'), 'wx+', 0o600)
  const removeName = () => rm(folder, { recursive: true, force: true }).catch(() => undefined)
  // Before anything is written: what the process leaves behind when it is killed is removed by the system.
  await removeName()
  return {
    handle,
    async remove() {
      await handle.close()
      await removeName()
    },
  }
}
