import { Readable } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'
import { SentForm } from '../../contract/form-values.ts'
import type { Operation, RequestBody } from '../../contract/operation.ts'
import { type ContentKind, kindOf } from '../../description/content-kind.ts'
import { findMediaType } from '../../description/media-types.ts'
import { toByteStream } from './byte-body.ts'
import { type Coding, codingOf } from './content-coding.ts'
import { assertUtf8, boundaryOf, type ContentType, contentTypeOf } from './content-type.ts'
import { readForm } from './form-body.ts'
import { parseJson } from './json-body.ts'
import { readMultipart } from './multipart-body.ts'
import { RequestContent } from './request-content.ts'
import { defaultMaxBytes } from './size-limit.ts'
import { decodeText } from './text-body.ts'
import { UploadedFiles } from './uploaded-files.ts'

/** Reads the body of an operation that has one, by its media type. */
export const readBody: RequestHandler = async function readBody(request, response, next) {
  const { requestBody } = response.locals.operation ?? {}
  request.body = requestBody && (await readBodyOf(requestBody, request, response))
  next()
}

/** Returns whether an operation has a body that may be large: it is read, or its handler reads it, as it arrives. */
export function acceptsUploads({ requestBody }: Operation): boolean {
  return requestBody?.mediaTypes.some((mediaType) => !isRead(kindOf(mediaType))) ?? false
}

/** Returns whether content is in memory before it is validated. */
function isRead(kind: ContentKind): boolean {
  return kind === 'json' || kind === 'text' || kind === 'form'
}

/** A body that is about to be read. */
interface Body {
  readonly row: RequestBody
  readonly type: ContentType
  readonly coding: Coding
  readonly maxBytes: number
  readonly content: RequestContent
  readonly request: Request
  readonly response: Response
}

/** Returns the value of a body; undefined without one. Throws if the operation does not accept it. */
export async function readBodyOf(
  row: RequestBody,
  request: Request,
  response: Response,
): Promise<unknown> {
  const { locals } = response
  const content = new RequestContent(request, response)
  if (!(await content.isPresent())) {
    return emptyBody(row, request, response)
  }

  const type = contentTypeOf(row, request)
  const coding = codingOf(request)
  const { maxBytes = defaultMaxBytes } = row
  content.assertLength(maxBytes)
  const value = await readers[type.kind]({
    row,
    type,
    coding,
    maxBytes,
    content,
    request,
    response,
  })
  if (value !== undefined) {
    locals.mediaType = type.mediaType
    locals.contentKind = type.kind
  }
  return value
}

type ReadBody = (body: Body) => unknown

const readers: Readonly<Record<ContentKind, ReadBody>> = {
  json: readJson,
  text: readText,
  form: readFields,
  multipart: readParts,
  events: readBytes,
  lines: readBytes,
  bytes: readBytes,
}

async function readJson({
  content,
  maxBytes,
  coding,
  type,
  row,
  response,
}: Body): Promise<unknown> {
  const bytes = await content.readAll(maxBytes, coding, type.kind)
  return bytes.length === 0 ? undefined : parseJson(bytes, row, response)
}

async function readText({ content, maxBytes, coding, type, row, request }: Body): Promise<string> {
  assertUtf8(row, request)
  return decodeText(await content.readAll(maxBytes, coding, type.kind))
}

async function readFields({
  content,
  maxBytes,
  coding,
  type,
  row,
  request,
}: Body): Promise<SentForm> {
  assertUtf8(row, request)
  return readForm(await content.readAll(maxBytes, coding, type.kind))
}

async function readParts(body: Body): Promise<SentForm> {
  const { content, maxBytes, coding, row, type, request, response } = body
  const { locals } = response
  const boundary = boundaryOf(request)
  // Requests with one idempotency key are compared by the bytes of their files, too.
  const files = new UploadedFiles({ withDigests: 'idempotency-key' in request.headers })
  const untilSent = files.hold()
  response.once('close', () => untilSent[Symbol.dispose]())
  // The client may leave while a file is written.
  using _untilRead = files.hold()
  locals.uploadedFiles = files
  locals.isUpload = true
  const fields = row.forms?.[type.mediaType] ?? {}
  return await readMultipart(content.stream(maxBytes, coding), boundary, fields, files)
}

function readBytes({ content, maxBytes, coding, response }: Body): Readable {
  response.locals.isUpload = true
  return toByteStream(content.stream(maxBytes, coding), response)
}

/** Returns the value of a body without content, which has one if its media type says that it is no JSON. */
function emptyBody(row: RequestBody, request: Request, { locals }: Response): unknown {
  const sentType = request.headers['content-type'] ?? ''
  const declared = findMediaType(row.mediaTypes, sentType)
  if (declared === undefined || row.jsonRanges?.includes(declared)) {
    return undefined
  }

  const { mediaType, kind } = contentTypeOf(row, request)
  const value = emptyValues[kind]()
  if (value !== undefined) {
    locals.mediaType = mediaType
    locals.contentKind = kind
  }
  return value
}

const noValue = () => undefined
const noBytes = () => Readable.from([], { objectMode: false })

const emptyValues: Readonly<Record<ContentKind, () => unknown>> = {
  json: noValue,
  text: () => '',
  form: () => new SentForm([]),
  multipart: noValue,
  events: noBytes,
  lines: noBytes,
  bytes: noBytes,
}
