import type { Request, Response } from 'express'
import type { Operation, RequestBody } from '../contract/operation.ts'
import { codingOf, decodeContent } from '../http/body/content-coding.ts'
import { assertUtf8, contentTypeOf } from '../http/body/content-type.ts'
import { readForm } from '../http/body/form-body.ts'
import { parseJson } from '../http/body/json-body.ts'
import { defaultMaxBytes, tooLarge } from '../http/body/size-limit.ts'
import { decodeText } from '../http/body/text-body.ts'

/** The content of a request that is forwarded: what was read to validate it, and whether more follows. */
export interface SentContent {
  /** Bytes as they were sent. */
  readonly read: Uint8Array[]
  size: number
  isComplete: boolean
  /** The most bytes that are forwarded; undefined without a limit. */
  maxBytes?: number
}

declare global {
  namespace Express {
    interface Locals {
      /** The content of a request that is forwarded. */
      sentContent?: SentContent
    }
  }
}

/** Stands for the media type of content that is not validated. */
const anyType = 'application/octet-stream'

/** Returns the content of a request, of which nothing was read. */
export function unreadContent({ headers }: Request): SentContent {
  const hasContent =
    Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
  return { read: [], size: 0, isComplete: !hasContent }
}

/**
 * Reads the content of a request as far as it is validated: values up to their end, bytes, streams and
 * `multipart/form-data` not at all. What was read is in `locals.sentContent`, also when the content is rejected.
 */
export async function readContent(
  { requestBody }: Operation,
  request: Request,
  response: Response,
): Promise<void> {
  const { locals } = response
  const content = unreadContent(request)
  locals.sentContent = content
  if (requestBody === undefined || content.isComplete) {
    return
  }

  const { mediaType, kind } = contentTypeOf(requestBody, request)
  const isValue = kind === 'json' || kind === 'text' || kind === 'form'
  // What is streamed takes no memory; the upstream has limits of its own.
  const { maxBytes = isValue ? defaultMaxBytes : Number.POSITIVE_INFINITY } = requestBody
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge(maxBytes)
  }
  if (!isValue) {
    content.maxBytes = maxBytes
    locals.mediaType = anyType
    locals.isUpload = true
    request.body = content
    return
  }

  if (kind !== 'json') {
    assertUtf8(requestBody, request)
  }
  const coding = codingOf(request)
  askForContent(request, response)
  await readAll(content, request, maxBytes)
  const bytes = await decodeContent(Buffer.concat(content.read), maxBytes, coding, kind)
  const parse = parsers[kind]
  const value = bytes.length === 0 ? undefined : parse(bytes, requestBody, response)
  if (value !== undefined) {
    locals.mediaType = mediaType
    request.body = value
  }
}

type Parse = (bytes: Buffer, row: RequestBody, response: Response) => unknown

/** What parses content of each kind that is a value. */
const parsers: Readonly<Record<'json' | 'text' | 'form', Parse>> = {
  json: parseJson,
  text: (bytes) => decodeText(bytes),
  form: (bytes) => readForm(bytes),
}

async function readAll(content: SentContent, request: Request, maxBytes: number): Promise<void> {
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    content.read.push(chunk)
    content.size += chunk.length
    if (content.size > maxBytes) {
      throw tooLarge(maxBytes)
    }
  }
  content.isComplete = true
}

/** Yields the content of a request: what was read, and then the rest. Throws if it becomes too large. */
export async function* streamContent(content: SentContent, request: Request) {
  yield* content.read
  if (content.isComplete) {
    return
  }
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    content.size += chunk.length
    if (content.maxBytes !== undefined && content.size > content.maxBytes) {
      throw tooLarge(content.maxBytes)
    }
    yield chunk
  }
}

/** Sends 100 Continue to a client that waits for it, unless it was sent (RFC 9110, section 10.1.1). */
export function askForContent(request: Request, response: Response): void {
  const { headers, httpVersion } = request
  if (headers.expect !== undefined && httpVersion === '1.1') {
    response.writeContinue()
    // Once is enough.
    Reflect.deleteProperty(headers, 'expect')
  }
}
