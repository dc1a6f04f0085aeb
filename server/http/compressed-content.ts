import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gunzip, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import type { AnyResponse } from '../contract/handler-response.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const decompressGzip = promisify(gunzip)

type Coding = 'br' | 'gzip' | 'identity'

/** The content of a page, compressed once for all clients. */
export class CompressedContent {
  readonly #br: Buffer
  readonly #gzip: Buffer
  readonly #digest: string

  constructor(parts: { readonly br: Buffer; readonly gzip: Buffer }) {
    this.#br = parts.br
    this.#gzip = parts.gzip
    this.#digest = hash('sha256', parts.gzip, 'base64url').slice(0, 22)
  }

  /** Returns the bytes of the content in a coding. */
  async in(coding: Coding): Promise<Buffer> {
    if (coding === 'identity') {
      return await decompressGzip(this.#gzip)
    }
    return coding === 'br' ? this.#br : this.#gzip
  }

  /** Returns the `ETag` of the content in a coding: other bytes have another one (RFC 9110, section 8.8.3.3). */
  tagOf(coding: Coding): string {
    return `"${this.#digest}-${coding}"`
  }
}

/** Compresses a text. */
export async function compress(text: string): Promise<CompressedContent> {
  // A higher quality takes ten times as long, for a few percent.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  const [br, zipped] = await Promise.all([
    compressBrotli(text, { params }),
    compressGzip(text, { level: 9 }),
  ])
  return new CompressedContent({ br, gzip: zipped })
}

/**
 * Returns a page as a client accepts it: its content in the smallest coding, or 304 without content if the
 * client has it already. Other pages are returned unchanged.
 */
export async function fitToClient(
  page: AnyResponse,
  request: Request,
  response: Response,
): Promise<AnyResponse> {
  const { body: content, headers } = page
  if (!(content instanceof CompressedContent)) {
    return page
  }

  const coding = chooseCoding(request)
  response.vary('Accept-Encoding').set('ETag', content.tagOf(coding))
  if (request.fresh) {
    return { status: 304, ...(headers && { headers }) }
  }

  const body = await content.in(coding)
  const ofCoding = coding === 'identity' ? {} : { 'Content-Encoding': coding }
  return { ...page, headers: { ...headers, ...ofCoding }, body }
}

/** Returns the coding with the fewest bytes that a client accepts. */
function chooseCoding(request: Request): Coding {
  const codings: readonly Coding[] = ['br', 'gzip']
  return codings.find((coding) => request.acceptsEncodings(coding) !== false) ?? 'identity'
}
