import { toObject } from '../pipeline/description.ts'
import type { MediaType } from './description.ts'
import { entriesOf, Fields } from './fields.ts'
import type { Located } from './location.ts'
import type { Later } from './schema.ts'

/** Reads the media types of a body, a response, a parameter or a header. */
export function readContent(
  node: Located,
  follow: (node: Located) => Located,
  readSchema: (node: Located) => Later,
): readonly MediaType[] {
  // A copy that `x-common` has made refers to the content of what it copies.
  return entriesOf(follow(node)).map((entry) => {
    const fields = new Fields(follow(entry))
    const key = toMediaTypeKey(entry.key)
    const schema = fields.take('schema')
    const itemSchema = fields.take('itemSchema')
    const isAny = schema.value === undefined || isBytes(schema, key, follow)
    return {
      name: entry.key,
      key,
      schema: isAny ? undefined : readSchema(schema),
      itemSchema: itemSchema.value === undefined ? undefined : readSchema(itemSchema),
      encoding: fields.take('encoding').value,
      ...fields.rest(),
    }
  })
}

/** Returns the same for names of a media type that mean the same: case, order of parameters, UTF-8 of JSON. */
export function toMediaTypeKey(name: string): string {
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
  if (value === undefined) return name
  return `${name.trim()}=${value.replaceAll('"', '').trim()}`
}

/** Returns whether a schema states only that content is bytes; since OpenAPI 3.1 it is not written. */
function isBytes(node: Located, mediaType: string, follow: (node: Located) => Located): boolean {
  if (/[/+]json|^text\/|^multipart\/|x-www-form-urlencoded/.test(mediaType)) return false
  const { type, format, contentMediaType, description: _, ...others } = toObject(follow(node).value)
  if (Object.keys(others).length > 0) return false
  return (
    (type === 'string' && format === 'binary') ||
    (type === undefined && contentMediaType !== undefined)
  )
}
