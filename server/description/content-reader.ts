import type { MediaType } from './description.ts'
import type { Documents } from './documents.ts'
import { entriesOf, Fields } from './fields.ts'
import { toObject } from './json.ts'
import type { Located } from './location.ts'

/** Reads the media types of a body, a response, a parameter or a header. */
export function readContent(node: Located, documents: Documents): readonly MediaType[] {
  // A copy that `x-common` has made refers to the content of what it copies.
  return entriesOf(documents.follow(node)).map((entry) => {
    const fields = new Fields(documents.follow(entry))
    const key = toMediaTypeKey(entry.key)
    const schema = fields.take('schema')
    const itemSchema = takeItemSchema(fields)
    const isAny = schema.value === undefined || isBytes(schema, key, documents)
    return {
      name: entry.key,
      key,
      schema: isAny ? undefined : schema,
      itemSchema: itemSchema.value === undefined ? undefined : itemSchema,
      encoding: fields.take('encoding').value,
      ...fields.rest(),
    }
  })
}

/** Takes the schema of the items of a stream; before OpenAPI 3.2, an extension has it. */
function takeItemSchema(fields: Fields): Located {
  const ofExtension = fields.take('x-item-schema')
  const itemSchema = fields.take('itemSchema')
  return itemSchema.value === undefined ? ofExtension : itemSchema
}

/** Returns whether responses with a status have no content, whatever is declared (RFC 9110, section 6.4.1). */
export function isWithoutContent(status: string): boolean {
  return /^(?:1..|204|205|304)$/.test(status)
}

/** Returns the same for names of a media type that mean the same: case, order of parameters, UTF-8 of JSON. */
function toMediaTypeKey(name: string): string {
  const [type = '', ...parameters] = name
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const isJson = /[/+]json$/.test(type)
  const kept = parameters
    .map(withoutQuotes)
    .filter((parameter) => parameter !== '' && !(isJson && parameter === 'charset=utf-8'))
  return [type, ...kept.sort()].join(';')
}

/** Returns a parameter of a media type, whose value may be a quoted string, without quotes and spaces. */
function withoutQuotes(parameter: string): string {
  const [name = '', value] = parameter.split('=', 2)
  if (value === undefined) {
    return name
  }
  return `${name.trim()}=${value.replaceAll('"', '').trim()}`
}

/** Returns whether a schema states only that content is bytes; since OpenAPI 3.1 it is not written. */
function isBytes(node: Located, mediaType: string, documents: Documents): boolean {
  if (/[/+]json|^text\/|^multipart\/|x-www-form-urlencoded/.test(mediaType)) {
    return false
  }
  const {
    type,
    format,
    contentMediaType,
    description: _,
    ...others
  } = toObject(documents.follow(node).value)
  if (Object.keys(others).length > 0) {
    return false
  }
  return (
    (type === 'string' && format === 'binary') ||
    (type === undefined && contentMediaType !== undefined)
  )
}
