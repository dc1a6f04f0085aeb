import { checkName } from './options.ts'
import type { Content, PrepareUpload, WriteContent } from './request-content.ts'

/** Bytes to send. A stream can be sent once: its call is not retried. */
export type BytesBody = Blob | Uint8Array | ArrayBuffer | ReadableStream<Uint8Array>

/** Prepares a body in the media type that the call, its `Blob` or the contract has. */
export const prepareUpload: PrepareUpload = ({ contents }, body, { contentType }) => {
  if (body === undefined) {
    return undefined
  }

  const typeOfBlob = body instanceof Blob ? body.type : ''
  const wanted = contentType ?? typeOfBlob
  const names = Object.keys(contents)
  const matching =
    names.find((name) => name === wanted) ?? names.find((name) => includes(name, wanted))
  if (contentType !== undefined && matching === undefined) {
    checkName('The body', 'media type', contentType, names)
  }

  const name = matching ?? names[0] ?? ''
  const isRange = name.includes('*')
  const type = isRange ? wanted || 'application/octet-stream' : name
  const content = contents[name]
  const written = content?.write(body, type, content)
  return (
    written && {
      init: { body: written.body, duplex: 'half' },
      type: written.type,
      isOnce: written.isOnce === true,
    }
  )
}

/** Returns whether a range such as `image/*` includes a media type. */
function includes(range: string, type: string): boolean {
  return range === '*/*' ? type !== '' : range.endsWith('/*') && type.startsWith(range.slice(0, -1))
}

/** Writes a body of JSON. */
export const writeJson: WriteContent = (body, type) => ({ body: JSON.stringify(body), type })

/** Writes a text, such as XML. */
export const writeText: WriteContent = (body, type) => {
  if (typeof body !== 'string') {
    throw new TypeError(`A body of ${type} must be a string.`)
  }
  return { body, type }
}

/** Writes bytes. */
export const writeBytes: WriteContent = (body, type) => {
  const isOnce = body instanceof ReadableStream
  if (isOnce || body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body)) {
    // The types of bytes that are sent exclude memory that threads share.
    return { body: body as Content, type, isOnce }
  }
  throw new TypeError(`A body of ${type} must be a Blob, bytes or a ReadableStream.`)
}
