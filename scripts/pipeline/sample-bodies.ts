import { inspect } from 'node:util'
import { isJsonSequence, kindOf } from '../../server/description/content-kind.ts'
import type { Body, MediaType } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { readExamples } from '../../server/description/example-values.ts'
import { type FormField, formFieldsOf } from '../../server/description/form-fields.ts'
import { isObject, type JsonObject, toList, toObject } from '../../server/description/json.ts'
import type { Located } from '../../server/description/location.ts'
import { isXmlType, json } from '../../server/description/media-types.ts'
import { streamItemsOf } from '../../server/description/stream-items.ts'
import type { RequestSamples } from '../../server/mock/request-samples.ts'
import { preferredContent } from './call-content.ts'
import { isRangeWithSchema } from './types/content.ts'

/** A body in the samples of an operation. */
export interface SampleBody {
  /** The argument of a method of the client, as code. */
  readonly argument: string
  /** Whether that code reads a file. */
  readonly readsFile: boolean
  /** The options of curl. */
  readonly options: readonly string[]
}

/** Returns the body of a request: an example, a value of its schema, or a file; undefined if there is none. */
export function sampleBody(
  body: Body | undefined,
  documents: Documents,
  made: RequestSamples,
): SampleBody | undefined {
  const media = body && preferredContent(body.content)
  if (media === undefined) {
    return undefined
  }
  if (isRangeWithSchema(media)) {
    return jsonBody({ ...media, name: json }, documents, made)
  }
  switch (kindOf(media.name)) {
    case 'json':
      return jsonBody(media, documents, made)
    case 'form':
      return formBody(media, documents, made)
    case 'multipart':
      return multipartBody(media, documents, made)
    case 'text':
      return textBody(media, documents, made)
    case 'lines':
      return linesBody(media, documents, made)
    default:
      return fileBody(media)
  }
}

function jsonBody(
  media: MediaType,
  documents: Documents,
  made: RequestSamples,
): SampleBody | undefined {
  const [example] = readExamples(media.examples, documents).values()
  const value = example ?? (media.schema === undefined ? {} : made.find(media.schema))
  if (value === undefined) {
    return undefined
  }
  const options = [typeOption(media.name), `-d ${quote(JSON.stringify(value))}`]
  return { argument: toLiteral(value), readsFile: false, options }
}

/** Returns a text; that of a file where none is known, as of XML. */
function textBody(media: MediaType, documents: Documents, made: RequestSamples): SampleBody {
  const [example] = readExamples(media.examples, documents, 'text').values()
  const value = example ?? (isXmlType(media.name) ? undefined : made.find(media.schema))
  if (value === undefined) {
    const ofFile = fileBody(media)
    return { ...ofFile, argument: `await (${ofFile.argument}).text()` }
  }

  const text = toText(value)
  const options = [typeOption(media.name), `--data-binary ${quote(text)}`]
  return { argument: toLiteral(text), readsFile: false, options }
}

/**
 * Returns JSON values, each on a line, with one for each form that they may have; a file of them where none is known,
 * or where a shell cannot write them.
 */
function linesBody(media: MediaType, documents: Documents, made: RequestSamples): SampleBody {
  const [example] = readExamples(media.examples, documents).values()
  const stated = Array.isArray(example) ? toList(example) : [example]
  const items = example === undefined ? made.ofEachForm(itemsOf(media, documents)) : stated
  const isKnown = items.length > 0
  if (!isKnown || isJsonSequence(media.name)) {
    return fileBody(media)
  }

  const isText = typeof example === 'string'
  const lines = isText ? example : items.map((item) => `${JSON.stringify(item)}\n`).join('')
  const options = [typeOption(media.name), `--data-binary ${quote(lines)}`]
  return { argument: `new Blob([${toLiteral(lines)}])`, readsFile: false, options }
}

function itemsOf(media: MediaType, documents: Documents): Located | undefined {
  return streamItemsOf(media, documents)?.schema
}

/** Returns the bytes of a file. */
function fileBody({ name: mediaType }: MediaType): SampleBody {
  const file = fileName('file', mediaType)
  return {
    argument: readFile(file),
    readsFile: true,
    options: [typeOption(exactType(mediaType)), `--data-binary ${quote(`@${file}`)}`],
  }
}

function formBody(
  media: MediaType,
  documents: Documents,
  made: RequestSamples,
): SampleBody | undefined {
  const fields = Object.entries(readFields(media, documents, made))
  if (fields.length === 0) {
    return undefined
  }
  const options = fields.flatMap(([name, value]) =>
    [value].flat().map((each) => `--data-urlencode ${quote(`${name}=${toText(each)}`)}`),
  )
  return { argument: toLiteral(Object.fromEntries(fields)), readsFile: false, options }
}

function multipartBody(
  media: MediaType,
  documents: Documents,
  made: RequestSamples,
): SampleBody | undefined {
  const values = readFields(media, documents, made)
  const fields = formFieldsOf(media, documents)
  const files = fields.filter(({ content }) => content === 'file')
  const members = [
    ...Object.entries(values).map(([name, value]) => `${printKey(name)}: ${toLiteral(value)}`),
    ...files.map((field) => `${printKey(field.name)}: ${readFieldFile(field)}`),
  ]
  if (members.length === 0) {
    return undefined
  }

  const isJson = (name: string) =>
    fields.some((field) => field.name === name && field.content === 'json')
  const texts = Object.entries(values).flatMap(([name, value]) => {
    const type = isJson(name) ? ';type=application/json' : ''
    return [value].flat().map((each) => `-F ${quote(`${name}=${toText(each)}${type}`)}`)
  })
  const uploads = files.map(({ name, mediaTypes: [type = '*/*'] }) => {
    const stated =
      type.includes('*') && !type.startsWith('image/') ? '' : `;type=${exactType(type)}`
    return `-F ${quote(`${name}=@${fileName(name, type)}${stated}`)}`
  })
  return {
    argument: `{ ${members.join(', ')} }`,
    readsFile: files.length > 0,
    options: [...texts, ...uploads],
  }
}

function readFieldFile({ name, isList, mediaTypes: [type = '*/*'] }: FormField): string {
  const file = readFile(fileName(name, type))
  return isList ? `[${file}]` : file
}

/** Returns the values of the fields that are no files: those of an example, or of a value of the schema. */
function readFields(media: MediaType, documents: Documents, made: RequestSamples): JsonObject {
  const fields = formFieldsOf(media, documents).filter(({ content }) => content !== 'file')
  const names = new Set(fields.map(({ name }) => name))
  const [example] = readExamples(media.examples, documents).values()
  const value = isObject(example) ? example : toObject(made.find(media.schema))
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
}

/** Returns a value as a literal of JavaScript, on lines for a page of about 60 columns. */
export function toLiteral(value: unknown): string {
  return inspect(value, {
    depth: null,
    breakLength: 40,
    maxArrayLength: null,
    maxStringLength: null,
  })
}

/** Returns a text as one argument of a shell. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function readFile(file: string): string {
  return `await openAsBlob(${toLiteral(file)})`
}

function printKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : toLiteral(name)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function typeOption(mediaType: string): string {
  return `-H ${quote(`Content-Type: ${mediaType}`)}`
}

/** Returns a media type in place of a range. */
function exactType(mediaType: string): string {
  if (!mediaType.includes('*')) {
    return mediaType
  }
  return mediaType.startsWith('image/') ? 'image/png' : 'application/octet-stream'
}

const extensions: Readonly<Record<string, string>> = {
  'octet-stream': 'bin',
  jpeg: 'jpg',
  plain: 'txt',
}

/** Returns the name of a file with the usual extension of its media type. */
function fileName(name: string, mediaType: string): string {
  const [, subtype = ''] = exactType(mediaType).split(/[/;]/)
  const [withoutSuffix = ''] = subtype.trim().split('+')
  const plain = withoutSuffix.replace(/^x-/, '')
  return `${name}.${extensions[plain] ?? plain}`
}
