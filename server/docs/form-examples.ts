import { kindOf } from '../description/content-kind.ts'
import type { MediaType } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { readExamples } from '../description/example-values.ts'
import { formFieldsOf } from '../description/form-fields.ts'
import { isObject, type JsonObject, toObject } from '../description/json.ts'
import { isRange } from '../description/media-types.ts'
import type { RequestSamples } from '../mock/request-samples.ts'

/**
 * Writes what the page fills a form with: valid values of its fields, without files, which the reader chooses. Each
 * file is sent with its own media type, because the page would send a list of media types as one.
 */
export function prepareForm(media: MediaType, documents: Documents, made: RequestSamples): void {
  const kind = kindOf(media.name)
  if (kind !== 'form' && kind !== 'multipart') {
    return
  }

  const written = toObject(documents.at(media.at).value)
  const fields = formFieldsOf(media, documents)
  const files = new Set(fields.flatMap(({ name, content }) => (content === 'file' ? name : [])))
  const examples = readExamples(media.examples, documents)
  const values =
    examples.size > 0 ? examples : new Map([['example', made.find(media.schema) ?? {}]])
  const filled = Array.from(values, ([name, value]) => {
    return [name, { value: withoutMembers(value, files) }] as const
  })
  Reflect.deleteProperty(written, 'example')
  Object.assign(written, { examples: Object.fromEntries(filled) })

  if (isObject(media.encoding)) {
    const encoding = Object.entries(media.encoding).map(([name, each]) => {
      return [name, withoutChoice(toObject(each))] as const
    })
    Object.assign(written, { encoding: Object.fromEntries(encoding) })
  }
}

function withoutMembers(value: unknown, names: ReadonlySet<string>): unknown {
  if (!isObject(value)) {
    return value
  }
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
}

/** Returns an encoding without a `contentType` that names several media types. */
function withoutChoice(encoding: JsonObject): JsonObject {
  const { contentType, ...otherFields } = encoding
  const isOneType =
    typeof contentType === 'string' && !contentType.includes(',') && !isRange(contentType)
  return isOneType ? encoding : otherFields
}
