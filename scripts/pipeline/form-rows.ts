import { kindOf } from '../../server/description/content-kind.ts'
import type { MediaType } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { type FormField, formFieldsOf } from '../../server/description/form-fields.ts'
import { isUsuallyExploded } from '../../server/description/parameter-form.ts'
import { readShape } from '../../server/description/value-shape.ts'

/** Returns the fields of the media types that are forms, by media type and name; undefined if there are none. */
export function readForms(content: readonly MediaType[], documents: Documents) {
  const forms = content.flatMap((media) => {
    const kind = kindOf(media.name)
    if (kind !== 'form' && kind !== 'multipart') {
      return []
    }
    const readField = kind === 'form' ? readFormField : readPart
    const fields = formFieldsOf(media, documents)
    const rows = fields.map((field) => [field.name, readField(field, documents)] as const)
    return [[media.name, Object.fromEntries(rows)] as const]
  })
  return forms.length === 0 ? undefined : Object.fromEntries(forms)
}

/** Returns what is needed to read a field of `application/x-www-form-urlencoded`: it is written as in a query. */
function readFormField(field: FormField, documents: Documents) {
  const { schema, isRequired, content, mediaTypes, style = 'form', explode } = field
  // A structure is JSON only if its media type says so.
  if (content === 'json' && mediaTypes.length > 0) {
    return { required: isRequired, content: 'json' }
  }
  const isExploded = isUsuallyExploded(style)
  return {
    required: isRequired,
    ...readShape(schema, documents),
    style: style === 'form' ? undefined : style,
    explode: explode === isExploded ? undefined : explode,
  }
}

/** Returns what is needed to read the parts of a field of `multipart/form-data`. */
function readPart(field: FormField, documents: Documents) {
  const { schema, isRequired, isList, content, mediaTypes, maxBytes } = field
  const row = {
    required: isRequired,
    list: isList || undefined,
    mediaTypes: mediaTypes.length > 0 ? mediaTypes : undefined,
  }
  if (content === 'text') {
    return { ...row, ...readShape(schema, documents) }
  }
  return content === 'file' ? { ...row, file: true, maxBytes } : { ...row, content: 'json' }
}
