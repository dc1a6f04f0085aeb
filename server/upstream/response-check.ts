import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { findResponse, responsesOf } from '../contract/contract.ts'
import { toDetails } from '../contract/details.ts'
import type { HeaderValue } from '../contract/header-value.ts'
import { type ResponseHeaders, serviceHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { ResponseValidator } from '../contract/response-validation.ts'
import { headerOf } from '../contract/violation-place.ts'
import type { Description, Header, Response } from '../description/description.ts'
import { findKeyword } from '../description/schemas.ts'
import type { Drift } from './drift.ts'

/** The longest content that is validated, in bytes, as sent and as decoded. */
export const maxCheckedBytes = 1_000_000

/** A response of the upstream. */
export interface ReceivedResponse {
  readonly status: number
  /** Values by the names of fields, in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>
  /** The content as it was sent, without its bytes if it is too large, or no JSON. */
  readonly content: { readonly size: number; readonly bytes: Uint8Array | undefined }
  /** Whether it is the response to HEAD, which has no content. */
  readonly isOfHead: boolean
}

const decoders: Readonly<Record<string, (bytes: Uint8Array, options: object) => Promise<Buffer>>> =
  {
    gzip: promisify(gunzip),
    'x-gzip': promisify(gunzip),
    br: promisify(brotliDecompress),
    deflate: promisify(inflate),
    zstd: promisify(zstdDecompress),
  }

/** Stands for a body that was not read. */
const unread = Symbol('unread')

/** Finds where responses of the upstream differ from the description. */
export class ResponseCheck {
  readonly #description: Description
  readonly #validator: ResponseValidator

  constructor(description: Description) {
    this.#description = description
    this.#validator = new ResponseValidator(description)
  }

  /** Returns where a response differs from what the description says of the operation. */
  async find(operation: Operation, received: ReceivedResponse): Promise<readonly Drift[]> {
    const { status, headers, content, isOfHead } = received
    const declared = findResponse(responsesOf(this.#description, operation), status)
    if (declared === undefined) {
      // It says that the response which the client has is still the same.
      return status === 304 ? [] : [{ kind: 'status', pointer: '', rule: 'undeclared' }]
    }

    const mediaType = headers['content-type']?.[0]
    if (mediaType === undefined && content.size > 0) {
      return [{ kind: 'media_type', pointer: '/headers/content-type', rule: 'required' }]
    }
    const body = await readBody(received)
    if (body === malformed) {
      return [{ kind: 'body', pointer: '/body', rule: 'json' }]
    }

    const sent = this.#readHeaders(declared, headers)
    const response = {
      status,
      ...(body === undefined ? {} : { body: body === unread ? null : body }),
      ...(mediaType === undefined ? {} : { mediaType }),
    }
    const errors = this.#validator.errorsOf(declared, response, sent)
    const isChecked = (error: ErrorObject): boolean => {
      const header = headerOf(error)
      if (header !== undefined) {
        return !serviceHeaders.some((own) => own.toLowerCase() === header.toLowerCase())
      }
      const isOfBody = error.instancePath.startsWith('/body') || isMissingBody(error)
      return !isOfHead && !(isOfBody && body === unread)
    }
    return errors.filter(isChecked).map(toDrift)
  }

  #readHeaders(declared: Response, sent: ReceivedResponse['headers']): ResponseHeaders {
    const headers: ResponseHeaders = {}
    for (const header of declared.headers) {
      const texts = sent[header.name.toLowerCase()]
      if (texts !== undefined) {
        headers[header.name] = this.#readHeader(header, texts.join(', '))
      }
    }
    return headers
  }

  /** Returns the value of a header by the type of its schema; its text if it has no value of that type. */
  #readHeader({ schema, content }: Header, text: string): HeaderValue {
    if (content.length > 0) {
      return parseJson(text)
    }
    const { documents } = this.#description
    const types = [findKeyword(schema, 'type', documents)?.value].flat()
    const isNumber = types.includes('integer') || types.includes('number')
    if (isNumber && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)) {
      return Number(text)
    }
    if (types.includes('boolean') && (text === 'true' || text === 'false')) {
      return text === 'true'
    }
    return types.includes('array') ? text.split(',').map((item) => item.trim()) : text
  }
}

/** Returns the value of a JSON text; the text itself if it is none. */
function parseJson(text: string): HeaderValue {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Stands for content that is not JSON, although its media type is. */
const malformed = Symbol('malformed')

/** Returns the value of content; undefined without content. */
async function readBody({ content, headers, isOfHead }: ReceivedResponse): Promise<unknown> {
  if (isOfHead) {
    return unread
  }
  if (content.size === 0) {
    return undefined
  }
  if (content.bytes === undefined) {
    return unread
  }

  const coding = headers['content-encoding']?.join(',').trim().toLowerCase() ?? 'identity'
  const decode = decoders[coding]
  if (coding !== 'identity' && decode === undefined) {
    return unread
  }
  try {
    const limit = { maxOutputLength: maxCheckedBytes }
    const bytes = decode === undefined ? content.bytes : await decode(content.bytes, limit)
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    return error instanceof RangeError ? unread : malformed
  }
}

function isMissingBody({ instancePath, params }: ErrorObject): boolean {
  return instancePath === '' && params['missingProperty'] === 'body'
}

function toDrift(error: ErrorObject): Drift {
  const [detail] = toDetails([error])
  const { path = '', message = '' } = detail ?? {}
  const part = path.split('/')[1] ?? ''
  const kinds: Readonly<Record<string, Drift['kind']>> = {
    mediaType: 'media_type',
    headers: 'header',
  }
  return { kind: kinds[part] ?? 'body', pointer: path, rule: error.keyword, message }
}
