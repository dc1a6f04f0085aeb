import type { ResponseHeaders } from '../contract/headers.ts'
import { contentTypeField } from './content-type-field.ts'
import type { OpenStreams } from './open-streams.ts'
import type { OutgoingStream } from './outgoing-stream.ts'

/** A response whose content is sent in parts. */
export interface StreamedResponse {
  readonly stream: OutgoingStream
  readonly mediaType: string
  /** Bytes of the content, if its sender knows how many there are. */
  readonly contentLength: number | undefined
  /** Writes the status and the headers, with some of its own. */
  readonly writeHead: (contentHeaders: ResponseHeaders) => void
}

/**
 * Sends a text or bytes in parts. Rejects if the content has an error before its first part, before anything is
 * sent; `onFailure` gets a later error, after which the connection is closed.
 */
export async function sendParts(
  { stream, mediaType, contentLength, writeHead }: StreamedResponse,
  streams: OpenStreams,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const first = await stream.next()
  if (stream.isOver) {
    return
  }
  if (first.done === true) {
    assertComplete(0, contentLength)
    writeHead({ 'Content-Length': 0 })
    return stream.end()
  }

  assertNotBeyond(sizeOf(first.value), contentLength)
  streams.assertFree(stream)
  const contentType = contentTypeField(mediaType, first.value)
  const length = contentLength === undefined ? {} : { 'Content-Length': contentLength }
  writeHead({ 'Content-Type': contentType, ...length })
  streams.add(stream)
  try {
    await writeParts(stream, first, contentLength)
    stream.end()
  } catch (error) {
    if (!stream.isOver) {
      onFailure(error)
      stream.cutOff()
    }
  }
}

/**
 * Writes the parts. What completes a stated length is sent once the source has ended: a client takes content of that
 * length for complete, whatever its sender had left to say.
 */
async function writeParts(
  stream: OutgoingStream,
  first: IteratorResult<unknown>,
  contentLength: number | undefined,
): Promise<void> {
  const encoder = new PartEncoder()
  let last: string | Uint8Array = ''
  let part = first
  while (part.done !== true && !stream.isOver) {
    const content = encoder.encode(part.value)
    const bytes = stream.bytes + Buffer.byteLength(last) + Buffer.byteLength(content)
    assertNotBeyond(bytes, contentLength)
    if (bytes !== contentLength) {
      await stream.write(content)
    } else if (content.length > 0) {
      last = content
    }
    if (!stream.isOver) {
      part = await stream.next()
    }
  }

  if (stream.isOver) {
    return
  }
  const rest = encoder.end()
  const bytes = stream.bytes + Buffer.byteLength(last) + Buffer.byteLength(rest)
  assertNotBeyond(bytes, contentLength)
  assertComplete(bytes, contentLength)
  await stream.write(last)
  await stream.write(rest)
}

function sizeOf(part: unknown): number {
  return typeof part === 'string' || part instanceof Uint8Array ? Buffer.byteLength(part) : 0
}

function assertComplete(bytes: number, contentLength = bytes): void {
  if (bytes < contentLength) {
    throw new Error(`The content has ${bytes} bytes, and its Content-Length is ${contentLength}.`)
  }
}

function assertNotBeyond(bytes: number, contentLength = bytes): void {
  if (bytes > contentLength) {
    throw new Error(
      `The content has more bytes than its Content-Length, which is ${contentLength}.`,
    )
  }
}

/** Encodes the parts of a text or of bytes. */
class PartEncoder {
  /** The first half of a surrogate pair, whose second half is in the next part of a text. */
  #held = ''

  encode(part: unknown): string | Uint8Array {
    if (part instanceof Uint8Array) {
      return part
    }
    if (typeof part !== 'string') {
      throw new TypeError('A part of the content is neither a text nor bytes.')
    }

    const text = this.#held + part
    this.#held = /[\uD800-\uDBFF]$/.test(text) ? text.slice(-1) : ''
    return this.#held === '' ? text : text.slice(0, -1)
  }

  /** Returns what is left after the last part. */
  end(): string {
    return this.#held
  }
}
