import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import type { ErrorObject } from 'ajv/dist/2020.js'
import { findResponse, responsesOf } from '../contract/contract.ts'
import { toDetails } from '../contract/details.ts'
import { serviceHeaders } from '../contract/headers.ts'
import type { Operation } from '../contract/operation.ts'
import { ResponseValidator } from '../contract/response-validation.ts'
import { headerOf } from '../contract/violation-place.ts'
import type { Description } from '../description/description.ts'
import type { StreamItems } from '../description/stream-items.ts'
import type { Drift } from './drift.ts'
import { createHeaderReader, type FieldTexts } from './received-headers.ts'

/** The longest content that is validated, in bytes, as sent and as decoded. */
export const maxCheckedBytes = 1_000_000

/** A response of the upstream. */
export interface ReceivedResponse {
  readonly status: number
  /** Values by the names of fields, in lower case. */
  readonly headers: FieldTexts
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

/** The items of a stream, and the function that finds where one differs from the description. */
export interface ItemErrors {
  readonly items: StreamItems
  readonly driftsOf: (item: unknown) => readonly Drift[]
}

/** Finds where responses of the upstream differ from the description. */
export class ResponseCheck {
  readonly #description: Description
  readonly #validator: ResponseValidator
  readonly #readHeaders: ReturnType<typeof createHeaderReader>

  constructor(description: Description) {
    this.#description = description
    // Integers of 64 bits reach the client as they were sent.
    this.#validator = new ResponseValidator(description, { largeIntegers: 'accept' })
    this.#readHeaders = createHeaderReader(description)
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

    const sentHeaders = this.#readHeaders(declared.headers, headers)
    const checkedBody = body === unread ? null : body
    const response = {
      status,
      ...(body === undefined ? {} : { body: checkedBody }),
      ...(mediaType === undefined ? {} : { mediaType }),
    }
    const errors = this.#validator.findErrors(declared, response, sentHeaders)
    const isChecked = (error: ErrorObject): boolean => {
      const header = headerOf(error)
      if (header !== undefined) {
        return !serviceHeaders.some(
          (serviceHeader) => serviceHeader.toLowerCase() === header.toLowerCase(),
        )
      }
      const isOfBody = error.instancePath.startsWith('/body') || isMissingBody(error)
      return !isOfHead && !(isOfBody && body === unread)
    }
    return errors.filter(isChecked).map(toDrift)
  }

  /** Returns the validation of the items of a stream; undefined if no stream is declared. */
  itemErrorsOf(operation: Operation, status: number, mediaType: string): ItemErrors | undefined {
    const declared = findResponse(responsesOf(this.#description, operation), status)
    const validation = declared && this.#validator.validateItems(declared, mediaType)
    if (validation === undefined) {
      return undefined
    }
    const { items, findErrors } = validation
    return { items, driftsOf: (item) => findErrors(item).map(toDrift) }
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
