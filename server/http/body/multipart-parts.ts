import { parse as parseDisposition } from 'content-disposition'
import { parse as parseType } from 'content-type'
import { type ApiError, invalidRequest } from '../../contract/errors.ts'

/** A part of `multipart/form-data` (RFC 7578), whose content is read before the next part. */
export interface Part {
  readonly name: string
  /** Whether it has a file name, which may be empty. */
  readonly isFile: boolean
  /** The file name without folders; undefined if it has none. */
  readonly fileName: string | undefined
  /** As it was sent, without parameters; undefined if it was not sent. */
  readonly mediaType: string | undefined
  readonly charset: string | undefined
  readonly content: AsyncIterable<Buffer>
}

/** The most bytes of the header section of a part. */
const maxHeadBytes = 8_192

const newline = Buffer.from('\r\n')
const endOfHead = Buffer.from('\r\n\r\n')
const dashes = Buffer.from('--')
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Yields the parts of content; throws an `ApiError` of 400 where it is malformed, or ends too early. */
export function readParts(content: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<Part> {
  return new PartReader(content, boundary).read()
}

/** Reads content as far as it is asked to. What was read of it and is not used yet is in a window. */
class PartReader {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #delimiter: Buffer
  // Each boundary follows a newline, which the first may lack.
  #window = newline

  constructor(content: AsyncIterable<Buffer>, boundary: string) {
    this.#chunks = content[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  }

  async *read(): AsyncGenerator<Part> {
    await this.#skip(this.#readContent())
    while (await this.#hasNextPart()) {
      const head = await this.#readHead()
      const content = this.#readContent()
      yield { ...toPart(head), content }
      await this.#skip(content)
    }
    await this.#skip({ [Symbol.asyncIterator]: () => this.#chunks })
  }

  /** Yields what is before the next boundary. */
  async *#readContent(): AsyncGenerator<Buffer> {
    for (;;) {
      const window = this.#window
      const at = window.indexOf(this.#delimiter)
      if (at !== -1) {
        this.#window = window.subarray(at + this.#delimiter.length)
        if (at > 0) {
          yield window.subarray(0, at)
        }
        return
      }
      // The end of the window may be the start of a boundary.
      const size = window.length - this.#delimiter.length + 1
      if (size > 0) {
        this.#window = window.subarray(size)
        yield window.subarray(0, size)
      }
      await this.#readMore()
    }
  }

  /** Returns whether a part follows a boundary, whose line has two dashes if none does. */
  async #hasNextPart(): Promise<boolean> {
    let end = this.#window.indexOf(newline)
    while (end === -1 && !this.#startsWithDashes()) {
      if (this.#window.length > maxHeadBytes) {
        throw malformed('the line of a boundary is too long')
      }
      await this.#readMore()
      end = this.#window.indexOf(newline)
    }
    if (this.#startsWithDashes()) {
      return false
    }
    // RFC 2046, section 5.1.1: spaces may follow a boundary.
    const rest = this.#window.toString('latin1', 0, end)
    if (!/^[ \t]*$/.test(rest)) {
      throw malformed('a line has a boundary and more')
    }
    this.#window = this.#window.subarray(end)
    return true
  }

  #startsWithDashes(): boolean {
    return this.#window.subarray(0, dashes.length).equals(dashes)
  }

  /** Returns the header section of a part, each line of which follows a newline. */
  async #readHead(): Promise<Buffer> {
    let end = this.#window.indexOf(endOfHead)
    while (end === -1 && this.#window.length <= maxHeadBytes) {
      await this.#readMore()
      end = this.#window.indexOf(endOfHead)
    }
    if (end === -1 || end > maxHeadBytes) {
      throw malformed(`the header section of a part is longer than ${maxHeadBytes} bytes`)
    }
    const head = this.#window.subarray(0, end)
    await this.#skipTo(end)
    return head
  }

  /** Skips the end of a header section, but not its last newline if a boundary follows: there is no content then. */
  async #skipTo(endOfFields: number): Promise<void> {
    const start = endOfFields + newline.length
    while (this.#window.length < start + this.#delimiter.length) {
      await this.#readMore()
    }
    const rest = this.#window.subarray(start)
    const isEmpty = rest.subarray(0, this.#delimiter.length).equals(this.#delimiter)
    this.#window = isEmpty ? rest : rest.subarray(newline.length)
  }

  async #readMore(): Promise<void> {
    const { value } = await this.#chunks.next()
    if (value === undefined) {
      throw malformed('it ends before its last boundary')
    }
    this.#window = Buffer.concat([this.#window, value])
  }

  async #skip(content: AsyncIterable<Buffer>): Promise<void> {
    for await (const _ of content) {
      // Nothing is kept of it.
    }
  }
}

/** Returns what the header section of a part says of it. */
function toPart(head: Buffer): Omit<Part, 'content'> {
  const fields = readFields(head)
  const { type, parameters } = parseDisposition(fields.get('content-disposition') ?? '', {
    multipart: true,
  })
  const { name, filename } = parameters
  if (type !== 'form-data' || name === undefined) {
    throw malformed('a part has no name')
  }

  assertNotEncoded(fields.get('content-transfer-encoding'))
  const sentType = fields.get('content-type')
  const parsed = sentType === undefined ? undefined : parseType(sentType)
  return {
    name,
    isFile: filename !== undefined,
    fileName: filename === undefined ? undefined : toBaseName(filename),
    mediaType: parsed?.type,
    charset: parsed?.parameters['charset'],
  }
}

/** Throws if the content of a part is not sent as it is. RFC 7578, section 4.7, deprecates other encodings. */
function assertNotEncoded(encoding = 'binary'): void {
  if (!/^(?:7bit|8bit|binary)$/i.test(encoding)) {
    throw malformed('a part has a Content-Transfer-Encoding other than 7bit, 8bit and binary')
  }
}

/** Returns the header fields of a part, by their names in lower case. */
function readFields(head: Buffer): ReadonlyMap<string, string> {
  const lines = decodeHead(head).split('\r\n').slice(1)
  const fields = lines.map((line) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):([^\0\r\n]*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) {
      throw malformed('a part has a malformed header field')
    }
    return [name.toLowerCase(), value.trim()] as const
  })
  const byName = new Map(fields)
  if (byName.size < fields.length) {
    throw malformed('a part has a header field twice')
  }
  return byName
}

function decodeHead(head: Buffer): string {
  try {
    return utf8.decode(head)
  } catch {
    throw malformed('a header section is not UTF-8')
  }
}

/** The most characters of a file name, as file systems have it. */
const maxNameLength = 255

/** Returns a file name without folders and control characters; undefined if nothing is left. */
function toBaseName(fileName: string): string | undefined {
  const base = fileName.split(/[/\\]/).at(-1) ?? ''
  const name = base.replaceAll(/\p{Cc}/gu, '').slice(0, maxNameLength)
  return name === '' || name === '.' || name === '..' ? undefined : name
}

/** Returns the error of content that is not `multipart/form-data`. */
export function malformed(reason: string): ApiError {
  return invalidRequest([{ path: '/body', message: `must be multipart/form-data; ${reason}` }])
}
