import { Readable } from 'node:stream'
import type { Response } from 'express'

/** Returns a stream of the bytes of a body, which ends with an error when reading them fails. */
export function toByteStream(content: AsyncIterable<Buffer>, response: Response): Readable {
  const stream = Readable.from(content, { objectMode: false })
  // Who reads it gets the error; without a listener the process would end.
  stream.on('error', () => undefined)
  // Nothing is read once the response is sent.
  response.once('close', () => stream.destroy())
  return stream
}
