import type { Document, Located } from './document.ts'
import { type Json, type JsonObject, show, toObject, toText } from './json.ts'
import { validate } from './schemas.ts'

/** Content, and its media type if that says more than the description of the request. */
export interface SentContent {
  readonly body: string | Buffer
  readonly type: string
}

const boundary = 'part-of-the-judge'

/** Returns fields as a form is sent: the values of a list are fields of one name. */
export function writeForm(fields: JsonObject): SentContent {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, toFieldText(each as Json)]),
  )
  const type = 'application/x-www-form-urlencoded'
  return { body: new URLSearchParams(pairs).toString(), type }
}

/** Returns parts as `multipart/form-data`; a part has a `name`, a `text` or `bytes`, a `file` name and a `type`. */
export function writeMultipart(parts: readonly JsonObject[]): SentContent {
  const written = parts.flatMap(({ name, text, bytes, file, type }) => {
    const fileName = file === undefined ? '' : `; filename="${toText(file)}"`
    const typed = type === undefined ? '' : `Content-Type: ${toText(type)}\r\n`
    const disposition = `Content-Disposition: form-data; name="${toText(name)}"${fileName}\r\n`
    const content = bytes === undefined ? Buffer.from(toText(text)) : writeBytes(bytes)
    return [
      Buffer.from(`--${boundary}\r\n${disposition}${typed}\r\n`),
      content,
      Buffer.from('\r\n'),
    ]
  })
  const body = Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)])
  return { body, type: `multipart/form-data; boundary=${boundary}` }
}

/** Returns the values of fields as the parts that a schema describes; a value that is an object is JSON. */
export function toParts(document: Document, schema: Located, fields: JsonObject): JsonObject[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const property = document.follow(
      document.at(document.follow(schema), 'properties', name) ?? schema,
    )
    const items = document.follow(document.at(property, 'items'))
    const isFile = [property.value, items.value].some(isFileSchema)
    return [value].flat().map((each): JsonObject => {
      const text = toFieldText(each as Json)
      return isFile
        ? { name, text, file: 'a.bin', type: 'application/octet-stream' }
        : { name, text }
    })
  })
}

function isFileSchema({ format, contentMediaType, contentEncoding }: JsonObject): boolean {
  return format === 'binary' || (contentMediaType !== undefined && contentEncoding === undefined)
}

function toFieldText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns bytes of some length, or those of a text in base64. */
export function writeBytes(bytes: Json): Buffer {
  return typeof bytes === 'number' ? Buffer.alloc(bytes, 'a') : Buffer.from(toText(bytes), 'base64')
}

/** Returns the items of a stream as they were sent, each event as an object; undefined for other content. */
export function readItems(mediaType: string, body: string): readonly Json[] | undefined {
  if (/^text\/event-stream\b/i.test(mediaType)) {
    return readEvents(body)
  }
  if (/^application\/(?:x-)?(?:jsonl|ndjson|jsonlines)\b/i.test(mediaType)) {
    const lines = body.split('\n')
    if (lines.pop() !== '') {
      throw new Error('the last line has no end')
    }
    return lines.map((line): Json => JSON.parse(line))
  }
  return undefined
}

/** Returns the events of a stream (HTML Standard, section 9.2.6). */
function readEvents(body: string): readonly JsonObject[] {
  const blocks = body.split(/\r?\n\r?\n/)
  if (blocks.pop() !== '') {
    throw new Error('the last event has no end')
  }
  return blocks.flatMap((block) => {
    const fields = new Map<string, string[]>()
    for (const line of block.split(/\r?\n/).filter((each) => !each.startsWith(':'))) {
      const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
      fields.set(name, [...(fields.get(name) ?? []), value])
    }
    const entries = Array.from(fields, ([name, values]) => [name, values.join('\n')] as const)
    return fields.has('data') ? [Object.fromEntries(entries)] : []
  })
}

/** Returns what is wrong with the items of a stream by the schema of one. */
export function judgeItems(
  document: Document,
  schema: Located | undefined,
  items: readonly Json[],
): readonly string[] {
  if (schema === undefined) {
    return []
  }
  return items.flatMap((item) => {
    const candidates = [item, ...readEvent(item)]
    const isValid = candidates.some((candidate) => {
      return validate(document, schema, 'response', candidate).length === 0
    })
    return isValid && isDataValid(document, schema, item)
      ? []
      : [`the item ${show(item)} is not as declared`]
  })
}

/** Returns whether the data of an event is valid by its `contentSchema`, if it has one. */
function isDataValid(document: Document, schema: Located, item: Json): boolean {
  const data = document.at(document.follow(schema), 'properties', 'data')
  const content = document.at(document.follow(data), 'contentSchema')
  if (content === undefined) {
    return true
  }
  const parsed = parse(toText(toObject(item)['data']))
  return parsed !== undefined && validate(document, content, 'response', parsed).length === 0
}

/** Returns what an event may stand for: its data, or itself with other types of its members. */
function readEvent(item: Json): readonly Json[] {
  const event = toObject(item)
  const { data, retry } = event
  if (typeof data !== 'string') {
    return []
  }
  const typed = retry === undefined ? event : { ...event, retry: Number(retry) }
  const parsed = parse(data)
  return parsed === undefined ? [typed, data] : [typed, data, parsed, { ...typed, data: parsed }]
}

/** Returns the schema of the items of a stream, which a version before 3.2 has in an extension. */
export function findItemSchema(
  document: Document,
  media: Located<JsonObject>,
): Located | undefined {
  const own = document.at(media, 'itemSchema') ?? document.at(media, 'x-item-schema')
  const whole = document.follow(document.at(media, 'schema'))
  return own ?? document.at(whole, 'items')
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
