import { type ContentKind, isJsonSequence, kindOf } from '../../server/description/content-kind.ts'
import type { MediaType, Operation, Response } from '../../server/description/description.ts'
import type { Documents } from '../../server/description/documents.ts'
import { isJsonType, json } from '../../server/description/media-types.ts'
import { streamItemsOf } from '../../server/description/stream-items.ts'
import { type ClientExport, clientExports } from './client-exports.ts'
import { isRangeWithSchema } from './types/content.ts'

/** The content of the successes of an operation that a client reads in one way. */
export interface SuccessContent {
  readonly kind: ContentKind
  readonly media: MediaType
}

/** Returns the content of the successes that is not JSON, the first of it; undefined if all of it is. */
export function successContentOf(operation: Operation): SuccessContent | undefined {
  return successesOf(operation)
    .flatMap((response) => preferredContent(contentOf(operation, response)) ?? [])
    .map((media) => ({ kind: kindOfContent(media), media }))
    .find(({ kind }) => kind !== 'json')
}

/**
 * Returns what a call may choose instead of the usual JSON: the other media types of the successes, without ranges.
 * There is none where the usual content is not JSON.
 */
export function acceptedContentOf(operation: Operation): readonly SuccessContent[] {
  if (successContentOf(operation) !== undefined) {
    return []
  }
  const usual = usualContentOf(operation)
  const contents = successesOf(operation).flatMap((response) => contentOf(operation, response))
  const chosen = contents.filter(({ name }) => name !== usual && !name.includes('*'))
  const byName = new Map(chosen.map((media) => [media.name, media]))
  return Array.from(byName.values(), (media) => ({ kind: kindOfContent(media), media }))
}

/** Returns the media type of the usual content of the successes. */
export function usualContentOf(operation: Operation): string | undefined {
  const contents = successesOf(operation).map((response) => contentOf(operation, response))
  return contents.flatMap((content) => preferredContent(content) ?? [])[0]?.name
}

function hasJsonContent(operation: Operation, response: Response): boolean {
  const media = preferredContent(contentOf(operation, response))
  return media !== undefined && isJsonType(media.name)
}

function successesOf({ responses }: Operation): readonly Response[] {
  return responses.filter(({ status, isSuccess }) => isSuccess && /^2|default/.test(status))
}

/** Returns how a client takes content: forms of a response, which are rare, as bytes. */
export function kindOfContent(media: MediaType): ContentKind {
  const kind = kindOf(media.name)
  if (kind === 'form' || kind === 'multipart') {
    return 'bytes'
  }
  return kind === 'bytes' && isRangeWithSchema(media) ? 'json' : kind
}

/** Returns how the content of successes is read, if it is not JSON. */
export function readSuccessContent(operation: Operation, documents: Documents) {
  const content = successContentOf(operation)
  if (content === undefined) {
    return undefined
  }

  const { kind, media } = content
  if (kind === 'text') {
    return { read: clientExports.readText }
  }
  if (kind === 'bytes') {
    const { readDownload, createDownload } = clientExports
    const hasJson = successesOf(operation).some((response) => hasJsonContent(operation, response))
    return { ...(hasJson && { json: true }), read: readDownload, createResult: createDownload }
  }
  const { createEventStream, createValueStream } = clientExports
  return {
    items: readItems(media, documents),
    read: clientExports.readBody,
    createResult: kind === 'events' ? createEventStream : createValueStream,
  }
}

/** Returns how content is read that a call may choose from. */
export function readAcceptedContent(operation: Operation, documents: Documents) {
  const chosenContent = acceptedContentOf(operation)
  if (chosenContent.length === 0) {
    return undefined
  }
  const { createEventStream, createValueStream, createDownload } = clientExports
  const { createText, createJson, readAccepted, createAccepted } = clientExports
  const creators: Readonly<Record<ContentKind, ClientExport>> = {
    json: createJson,
    text: createText,
    form: createDownload,
    multipart: createDownload,
    bytes: createDownload,
    events: createEventStream,
    lines: createValueStream,
  }

  const rows = chosenContent.map(({ kind, media }) => {
    const isStream = kind === 'events' || kind === 'lines'
    const items = isStream ? { items: readItems(media, documents) } : {}
    return [media.name, { ...items, create: creators[kind] }] as const
  })
  return {
    accepted: { [usualContentOf(operation) ?? '']: {}, ...Object.fromEntries(rows) },
    read: readAccepted,
    createResult: createAccepted,
  }
}

/** Returns how the items of a stream are read. */
function readItems(media: MediaType, documents: Documents) {
  const type = media.name.replace(/;.*/, '').trim()
  if (kindOf(type) === 'lines') {
    return { type, ...(isJsonSequence(type) && { sequence: true }) }
  }
  const { isWholeEvent, isJsonData, hasTextData } = streamItemsOf(media, documents) ?? {}
  return {
    type,
    ...(isWholeEvent && { whole: true }),
    ...(isJsonData && { json: true }),
    ...(hasTextData && { text: true }),
  }
}

/** Returns the rules of the options that content in parts has. */
export function contentRules(operation: Operation) {
  const { eventRules, streamRules, acceptRules } = clientExports
  const accepted = acceptedContentOf(operation)
  const kinds = [successContentOf(operation), ...accepted].map((content) => content?.kind)
  const hasEvents = kinds.includes('events')
  const isInParts = kinds.some((kind) => kind === 'lines' || kind === 'bytes')
  return [
    ...(accepted.length > 0 ? [acceptRules] : []),
    ...(hasEvents ? [eventRules] : []),
    // Those of events include them.
    ...(isInParts && !hasEvents ? [streamRules] : []),
  ]
}

/** Returns the content of a response to an operation; there is none to HEAD. */
export function contentOf({ method }: Operation, { content }: Response): readonly MediaType[] {
  return method === 'HEAD' ? [] : content
}

/** Returns the content of JSON, or else the first; undefined if there is none. */
export function preferredContent(content: readonly MediaType[]): MediaType | undefined {
  const isJson = ({ name }: MediaType) => isJsonType(name)
  return content.find(({ name }) => name === json) ?? content.find(isJson) ?? content[0]
}
