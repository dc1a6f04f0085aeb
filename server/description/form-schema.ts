import type { MediaType } from './description.ts'
import type { Documents } from './documents.ts'
import { formFieldsOf } from './form-fields.ts'
import { type JsonObject, toList, toObject } from './json.ts'

/** Returns the schema of a file in a form, given the property that describes it. */
export type WriteFile = (property: unknown, isList: boolean) => JsonObject

/**
 * Returns the schema of a form in which each file has another schema, written in place: other content may have the
 * same schema. Undefined if the form has no files.
 */
export function writeFormSchema(
  media: MediaType,
  documents: Documents,
  writeFile: WriteFile,
): JsonObject | undefined {
  const files = formFieldsOf(media, documents).filter(({ content }) => content === 'file')
  if (media.schema === undefined || files.length === 0) {
    return undefined
  }

  const lists = new Map(files.map(({ name, isList }) => [name, isList] as const))
  function write(value: unknown): JsonObject {
    const schema = documents.followValue(value)
    const { required, properties, ...otherKeywords } = schema
    const written = Object.entries(toObject(properties)).map(([name, property]) => {
      const isList = lists.get(name)
      return [name, isList === undefined ? property : writeFile(property, isList)] as const
    })
    const keys = ['allOf', 'oneOf', 'anyOf'].filter((key) => key in schema)
    const parts = keys.map((key) => [key, toList(schema[key]).map(write)] as const)
    return {
      ...otherKeywords,
      ...(required !== undefined && { required }),
      ...(properties !== undefined && { properties: Object.fromEntries(written) }),
      ...Object.fromEntries(parts),
    }
  }

  return write(media.schema.value)
}
