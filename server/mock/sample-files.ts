import { findMediaType, withoutParameters } from '../description/media-types.ts'

const ofBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

/** The smallest valid files of some media types. */
const files: Readonly<Record<string, Buffer>> = {
  'image/png': ofBase64(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  ),
  'image/gif': ofBase64('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'),
  'image/svg+xml': Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"></svg>',
  ),
  'application/pdf': createPdf(),
  // An archive without files is its last record alone.
  'application/zip': Buffer.concat([Buffer.from('PK\u0005\u0006'), Buffer.alloc(18)]),
  'application/gzip': ofBase64('H4sIAAAAAAAAAwMAAAAAAAAAAAA='),
}

/** Returns a file of a media type, or of the first type of a range; undefined if none is known. */
export function sampleFile(mediaType: string): Uint8Array | undefined {
  return files[withoutParameters(mediaType)]
}

/** Returns the type of the file that a range such as `image/*` has; undefined if none is known. */
export function fileTypeOf(range: string): string | undefined {
  return Object.keys(files).find((type) => findMediaType([range], type) !== undefined)
}

/** Returns a document with an empty page. */
function createPdf(): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 72 72] >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })

  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const table = `xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  const trailer = `trailer\n<< /Size ${rows.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}`
  return Buffer.from(`${text}${table}${trailer}\n%%EOF\n`)
}
