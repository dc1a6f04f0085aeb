import type { Request, Response } from 'express'
import { parseIJson } from '../contract/i-json.ts'
import type { Operation } from '../contract/operation.ts'
import { isJsonType } from '../description/media-types.ts'
import {
  codingOf,
  decodeContent,
  defaultMaxBytes,
  mediaTypeOf,
  tooLarge,
} from '../http/json-body.ts'

/** The content of a request that is forwarded: what was read to validate it, and whether more follows. */
export interface SentContent {
  /** Bytes as they were sent. */
  readonly read: Uint8Array[]
  size: number
  isComplete: boolean
  /** The most bytes that are forwarded; undefined without a limit. */
  maxBytes?: number | undefined
}

declare global {
  namespace Express {
    interface Locals {
      /** The content of a request that is forwarded. */
      sentContent?: SentContent
    }
  }
}

/** Stands for the media type of content whose declared type is a range: clients choose the type. */
const anyType = 'application/octet-stream'

/** Returns the content of a request, of which nothing was read. */
export function unreadContent({ headers }: Request): SentContent {
  const hasContent =
    Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
  return { read: [], size: 0, isComplete: !hasContent }
}

/**
 * Reads the content of a request as far as it is validated: JSON up to its end, other types not at all. What
 * was read is in `locals.sentContent`, also when the content is rejected.
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

  const mediaType = mediaTypeOf(requestBody.mediaTypes, request)
  const isJson = isJsonType(mediaType)
  const maxBytes = isJson ? (requestBody.maxBytes ?? defaultMaxBytes) : requestBody.maxBytes
  if (maxBytes !== undefined && Number(request.headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge(maxBytes)
  }
  if (!isJson) {
    content.maxBytes = maxBytes
    locals.mediaType = requestBody.mediaTypes.includes(mediaType) ? mediaType : anyType
    request.body = content
    return
  }

  const coding = codingOf(request)
  askForContent(request, response)
  await readAll(content, request, maxBytes ?? defaultMaxBytes)
  const bytes = await decodeContent(Buffer.concat(content.read), maxBytes ?? 0, coding)
  if (bytes.length > 0) {
    locals.mediaType = mediaType
    request.body = parseIJson(bytes)
  }
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
