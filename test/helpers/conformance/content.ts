import { isObject, type Json, type JsonObject, parseJson, toObject } from './description.ts'

/** How content of a media type is written: decided by code that the service does not share. */
export type BodyKind = 'json' | 'form' | 'multipart' | 'text' | 'stream' | 'bytes'

/** Returns how content of a media type is written. */
export function kindOf(mediaType: string): BodyKind {
  const type = toType(mediaType)
  if (/^application\/(?:.*\+)?json$|^\*\/\*$|^x\/x$/.test(type)) {
    return 'json'
  }
  if (type === 'application/x-www-form-urlencoded') {
    return 'form'
  }
  if (type === 'multipart/form-data') {
    return 'multipart'
  }
  if (isStream(type)) {
    return 'stream'
  }
  return /^text\/|^application\/xml$|\+xml$/.test(type) ? 'text' : 'bytes'
}

/** Returns whether content is a stream of items. */
export function isStream(mediaType: string): boolean {
  const type = toType(mediaType)
  return /^text\/event-stream$|\/(?:x-)?(?:jsonl|jsonlines|ndjson)$|[/+]json-seq$/.test(type)
}

export function isXml(mediaType: string): boolean {
  return /[/+]xml$/.test(toType(mediaType))
}

function toType(mediaType: string): string {
  return mediaType.split(';')[0]?.trim().toLowerCase() ?? ''
}

/** Returns the items of a stream, as far as they have arrived whole: events as objects, or JSON. */
export function readItems(mediaType: string, text: string): readonly Json[] {
  if (toType(mediaType) === 'text/event-stream') {
    const blocks = text.split('\n\n').slice(0, -1)
    return blocks.map(readEvent).filter((event) => event !== undefined)
  }
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line) => {
    // It stands before each value of a JSON text sequence (RFC 7464).
    const value = line.startsWith('\u001e') ? line.slice(1) : line
    return parseJson(value) ?? `no JSON: ${line}`
  })
}

function readEvent(block: string): JsonObject | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n').filter((each) => !each.startsWith(':'))) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? []
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : `${before}\n${value}`)
  }
  return fields.has('data') ? Object.fromEntries(fields) : undefined
}

/** Returns what an item may be by its schema: an event, or its data. */
export function readingsOfItem(item: Json): readonly Json[] {
  const event = toObject(item)
  const { data, retry } = event
  if (typeof data !== 'string') {
    return [item]
  }
  const typed = { ...event, ...(retry !== undefined && { retry: Number(retry) }) }
  const parsed = parseJson(data)
  const ofText = [typed, data]
  return parsed === undefined ? ofText : [...ofText, parsed, { ...typed, data: parsed }]
}

const boundary = 'a-part-of-the-conformance-test'

/** Returns the media type that content is sent with. */
export function sentType(mediaType: string): string {
  return kindOf(mediaType) === 'multipart' ? `${mediaType}; boundary=${boundary}` : mediaType
}

/** Writes a body; undefined if a value cannot be sent in it. */
export function writeBody(mediaType: string, media: JsonObject, value: Json): string | undefined {
  switch (kindOf(mediaType)) {
    case 'json':
      return JSON.stringify(value)
    case 'form':
      return writeForm(media, value)
    case 'multipart':
      return writeMultipart(media, value)
    default:
      return typeof value === 'string' ? value : undefined
  }
}

/** Writes a form without encodings of its own; structures have no form in it. */
function writeForm({ encoding }: JsonObject, value: Json): string | undefined {
  const entries = Object.entries(toObject(value))
  const isPlain = entries.every(([, member]) => [member].flat().every((each) => !isObject(each)))
  if (!isObject(value) || !isPlain || Object.keys(toObject(encoding)).length > 0) {
    return undefined
  }
  const pairs = entries.flatMap(([name, member]) =>
    [member].flat().map((each) => [name, toText(each as Json)]),
  )
  return new URLSearchParams(pairs).toString()
}

function writeMultipart({ encoding }: JsonObject, value: Json): string | undefined {
  if (!isObject(value)) {
    return undefined
  }
  const parts = Object.entries(value).flatMap(([name, member]) => {
    const { contentType } = toObject(toObject(encoding)[name])
    return [member].flat().map((each) => writePart(name, each as Json, contentType))
  })
  return [...parts, `--${boundary}--\r\n`].join('')
}

function writePart(name: string, value: Json, contentType: Json | undefined): string {
  const [stated] = typeof contentType === 'string' ? contentType.split(',') : []
  const usual = isObject(value) ? 'application/json' : undefined
  const type = stated?.trim().replaceAll('*', 'x') ?? usual
  const file = stated !== undefined && kindOf(stated) === 'bytes' ? '; filename="a.bin"' : ''
  const head = `Content-Disposition: form-data; name="${name}"${file}`
  const typed = type === undefined ? '' : `\r\nContent-Type: ${type}`
  return `--${boundary}\r\n${head}${typed}\r\n\r\n${toText(value)}\r\n`
}

function toText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** For how long the content of a stream is read, in milliseconds, and how much of it. */
const streamTime = 300
const streamSize = 64_000

/** Reads a response; of a stream, which may have no end, what arrives within a short time. */
export async function readText(response: Response): Promise<string> {
  const isEndless = isStream(response.headers.get('Content-Type') ?? '')
  if (!isEndless || response.body === null) {
    return response.text()
  }

  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), streamTime)
  let text = ''
  try {
    while (text.length < streamSize) {
      const { done, value } = await reader.read()
      if (done) {
        break
      }
      text += value
    }
  } finally {
    clearTimeout(timer)
    reader.cancel().catch(() => undefined)
  }
  return text
}
