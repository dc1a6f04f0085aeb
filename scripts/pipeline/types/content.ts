import { kindOf } from '../../../server/description/content-kind.ts'
import { readContent } from '../../../server/description/content-reader.ts'
import type { MediaType } from '../../../server/description/description.ts'
import { type Documents, toDocuments } from '../../../server/description/documents.ts'
import { writeFormSchema } from '../../../server/description/form-schema.ts'
import { isObject, type JsonObject, toObject } from '../../../server/description/json.ts'
import { editNodes } from '../../../server/description/nodes.ts'
import { itemSchemaOf, streamItemsOf } from '../../../server/description/stream-items.ts'
import { anyValue } from './compositions.ts'

/** The keyword of a schema of bytes, which `types.ts` prints as `Blob`. */
export const bytesKey = 'x-bytes'

const bytes = { type: 'string', [bytesKey]: true }

/** The keyword of a list that is a stream, which `types.ts` prints as `AsyncIterable`. */
export const streamKey = 'x-stream'

/**
 * Writes the schemas of content that is not JSON, of which openapi-typescript knows nothing: bytes, files in
 * forms, texts, and streams with the schema of their items.
 */
export function writeContent(description: JsonObject): JsonObject {
  const documents = toDocuments(description)
  const edited = editNodes(description, 'document', (node, kind) => {
    const hasContent = kind === 'requestBody' || kind === 'response'
    return hasContent && isObject(node['content']) ? withTypedContent(node, documents) : node
  })
  return toObject(edited)
}

function withTypedContent(node: JsonObject, documents: Documents): JsonObject {
  const { content } = node
  const mediaTypes = readContent({ ...documents.root, value: content }, documents)
  const typedContent = mediaTypes.map((media) => {
    const mediaObject = toObject(toObject(content)[media.name])
    const schema = schemaOf(media, mediaObject, documents)
    return [media.name, schema === undefined ? mediaObject : { ...mediaObject, schema }] as const
  })
  return { ...node, content: Object.fromEntries(typedContent) }
}

/** Returns the schema of content that is not JSON; undefined if it stays as it is. */
function schemaOf(media: MediaType, mediaObject: JsonObject, documents: Documents): unknown {
  const kind = kindOf(media.name)
  if (kind === 'json' || kind === 'form') {
    return undefined
  }
  if (kind === 'multipart') {
    // Its files are bytes.
    return writeFormSchema(media, documents, toFile)
  }
  if (kind === 'text') {
    return isText(mediaObject['schema'], documents) ? undefined : { type: 'string' }
  }

  const items = streamItemsOf(media, documents)
  if (items === undefined) {
    // Content of a range may be JSON as well; its schema decides on the type.
    return isRangeWithSchema(media) ? undefined : bytes
  }

  const schema = itemSchemaOf(items, documents)
  return {
    type: 'array',
    [streamKey]: true,
    items: schema === true ? { [anyValue]: true } : schema,
  }
}

/** Returns whether content is of any type, and has a schema: it is taken for JSON. */
export function isRangeWithSchema({ name, schema }: MediaType): boolean {
  return /^(?:\*|application)\/\*/.test(name) && schema !== undefined
}

function isText(schema: unknown, documents: Documents): boolean {
  return documents.followValue(schema)['type'] === 'string'
}

function toFile(property: unknown, isList: boolean): JsonObject {
  const { description } = toObject(property)
  const schema = isList ? { type: 'array', items: bytes } : bytes
  return typeof description === 'string' ? { description, ...schema } : schema
}
