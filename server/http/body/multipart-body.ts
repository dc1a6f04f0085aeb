import type { UploadedFile } from '../../contract/content.ts'
import { truncateDetails } from '../../contract/details.ts'
import { type ApiError, type Detail, invalidRequest } from '../../contract/errors.ts'
import { SentForm } from '../../contract/form-values.ts'
import type { FormField } from '../../contract/operation.ts'
import { findMediaType } from '../../description/media-types.ts'
import { escapeToken } from '../../description/pointer.ts'
import { isUtf8 } from './content-type.ts'
import { maxFields, tooManyFields } from './form-body.ts'
import { GrowingBuffer } from './growing-buffer.ts'
import { type Part, readParts } from './multipart-parts.ts'
import { defaultMaxBytes, tooLarge } from './size-limit.ts'
import { decodeText } from './text-body.ts'
import type { UploadedFiles } from './uploaded-files.ts'

/** The fields of a form by their names. */
type Fields = Readonly<Record<string, FormField>>

/** The most bytes of all fields that are no files: they are kept in memory. */
export const maxFieldBytes = defaultMaxBytes

const defaultFileType = 'application/octet-stream'

/**
 * Reads a body of `multipart/form-data` up to its end: files into `files`, other fields into memory. Rejects as
 * soon as a file violates the description, so that no more of it is read.
 */
export async function readMultipart(
  content: AsyncIterable<Buffer>,
  boundary: string,
  fields: Fields,
  files: UploadedFiles,
): Promise<SentForm> {
  const texts = new TextParts()
  const uploaded = new Map<string, UploadedFile[]>()
  let count = 0
  for await (const part of readParts(content, boundary)) {
    count++
    if (count > maxFields) {
      throw tooManyFields()
    }
    const field = Object.hasOwn(fields, part.name) ? fields[part.name] : undefined
    const isFile = field === undefined ? part.isFile : field.file === true
    assertMediaType(part, field, isFile)
    if (!isFile) {
      await texts.add(part)
      continue
    }

    const before = uploaded.get(part.name) ?? []
    assertFile(part, field, before.length)
    const { fileName: name, mediaType = defaultFileType } = part
    const file = await files.add({ name, mediaType }, part.content, field?.maxBytes)
    uploaded.set(part.name, [...before, file])
  }
  return new SentForm(texts.pairs, uploaded)
}

function assertMediaType(
  { name, mediaType, charset }: Part,
  field: FormField | undefined,
  isFile: boolean,
): void {
  const { mediaTypes } = field ?? {}
  // Browsers send fields that are no files without a type.
  const sentType = isFile ? (mediaType ?? defaultFileType) : mediaType
  if (mediaTypes !== undefined && sentType !== undefined) {
    if (findMediaType(mediaTypes, sentType) === undefined) {
      throw invalidField(name, `must be ${mediaTypes.join(' or ')}`)
    }
  }
  if (!isFile && !isUtf8(charset)) {
    throw invalidField(name, 'must be UTF-8')
  }
}

function assertFile({ name }: Part, field: FormField | undefined, count: number): void {
  if (field === undefined) {
    throw invalidField(name, 'is not a known field')
  }
  if (count > 0 && field.list !== true) {
    throw invalidField(name, 'must be given once')
  }
}

/** Collects the fields that are no files, as texts. */
class TextParts {
  readonly pairs: { readonly name: string; readonly text: string; readonly rawName: string }[] = []
  #left = maxFieldBytes

  async add({ name, content }: Part): Promise<void> {
    const bytes = new GrowingBuffer(this.#left)
    for await (const chunk of content) {
      this.#left -= chunk.length
      if (this.#left < 0) {
        throw tooLarge(maxFieldBytes)
      }
      bytes.append(chunk)
    }
    this.pairs.push({ name, text: decodeText(bytes.read(), placeOf(name)), rawName: name })
  }
}

const none: ReadonlySet<string> = new Set()

function invalidField(name: string, message: string): ApiError {
  const detail: Detail = { path: placeOf(name), message }
  return invalidRequest(truncateDetails([detail], none))
}

function placeOf(name: string): string {
  return `/body/${escapeToken(name)}`
}
