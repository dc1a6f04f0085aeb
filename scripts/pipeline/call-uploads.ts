import { type ContentKind, kindOf } from '../../server/description/content-kind.ts'
import type { Body, MediaType, Operation } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { type FormField, formFieldsOf } from '../../server/description/form-fields.ts'
import { isJsonType, json } from '../../server/description/media-types.ts'
import { isUsuallyExploded } from '../../server/description/parameter-form.ts'
import { readShape } from '../../server/description/value-shape.ts'
import { preferredContent } from './call-content.ts'
import { clientExports } from './client-exports.ts'
import { isRangeWithSchema } from './types/content.ts'

/** Returns how a client writes content: events as bytes. */
export function uploadKindOf(media: MediaType): ContentKind {
  const kind = kindOf(media.name)
  if (kind === 'events') {
    return 'bytes'
  }
  return kind === 'bytes' && isRangeWithSchema(media) ? 'json' : kind
}

/** Returns the content that a client may send, the usual one first, if it is not JSON alone. */
export function uploadContentOf({ body }: Operation): readonly MediaType[] {
  const content = body?.content ?? []
  const usual = preferredContent(content)
  const sorted = usual === undefined ? [] : [usual, ...content.filter((each) => each !== usual)]
  return sorted.every((media) => uploadKindOf(media) === 'json') ? [] : sorted
}

/** Returns whether there is a body, its media type where that is not `application/json`, or how it is written. */
export function readBody(operation: Operation, body: Body, documents: Documents) {
  const content = uploadContentOf(operation)
  if (content.length > 0) {
    const contents = content.map((media) => [media.name, readUpload(media, documents)] as const)
    const { prepareUpload } = clientExports
    return {
      body: true,
      upload: { contents: Object.fromEntries(contents), prepare: prepareUpload },
    }
  }

  const mediaType = preferredContent(body.content)?.name ?? json
  // A range such as `*/*` is no type that content could have.
  const isUsual = mediaType === json || mediaType.includes('*')
  return { body: isUsual ? true : mediaType }
}

/** Returns how content is written. */
function readUpload(media: MediaType, documents: Documents) {
  switch (uploadKindOf(media)) {
    case 'json':
      return { write: clientExports.writeJson }
    case 'text':
      return { write: clientExports.writeText }
    case 'form': {
      const styles = readStyles(media, documents)
      return { ...(styles && { styles }), write: clientExports.writeForm }
    }
    case 'multipart': {
      const fields = readFields(media, documents)
      return { ...(fields && { fields }), write: clientExports.writeMultipart }
    }
    case 'lines':
      return { write: clientExports.writeLines }
    default:
      return { write: clientExports.writeBytes }
  }
}

/** Returns the styles of the fields of a form that are not as usual. */
function readStyles(media: MediaType, documents: Documents) {
  const styles = formFieldsOf(media, documents).flatMap((field) => {
    const style = printStyle(field, documents)
    return style === 'form*' ? [] : [[`query ${field.name}`, style] as const]
  })
  return styles.length === 0 ? undefined : Object.fromEntries(styles)
}

function printStyle(field: FormField, documents: Documents): string {
  const { schema, content, mediaTypes, style = 'form', explode } = field
  const nullable = [readShape(schema, documents).type ?? []].flat().includes('null') ? '?' : ''
  // A structure is JSON only if its media type says so.
  if (content === 'json' && mediaTypes.length > 0) {
    return `json${nullable}`
  }
  const isExploded = explode ?? isUsuallyExploded(style)
  return `${style}${isExploded ? '*' : ''}${nullable}`
}

/** Returns the fields of `multipart/form-data` that are no texts. */
function readFields(media: MediaType, documents: Documents) {
  const fields = formFieldsOf(media, documents)
    .filter(({ content }) => content !== 'text')
    .map(({ name, content, mediaTypes, isList }) => {
      const [type] = mediaTypes.filter((each) => !each.includes('*'))
      const isTyped = type !== undefined && (content === 'json' ? isJsonType(type) : true)
      const row = { content, ...(isTyped && { type }), ...(isList && { list: true }) }
      return [name, row] as const
    })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

/** Returns the rules of the options that such content has. */
export function uploadRules(operation: Operation) {
  return uploadContentOf(operation).length > 1 ? [clientExports.uploadRules] : []
}
