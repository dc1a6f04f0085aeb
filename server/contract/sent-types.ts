import { type ContentKind, kindOf } from '../description/content-kind.ts'
import type { MediaType } from '../description/description.ts'
import { findMediaType, isRange, json, jsonTypesOf } from '../description/media-types.ts'

/** The media type of bytes of which nothing is known (RFC 2046, section 4.5.1). */
export const octetStream = 'application/octet-stream'

/**
 * Returns the media types that content may have: those of JSON first, then the others in their order. A range
 * stands for all of its types; one with a schema that JSON belongs to stands for `application/json`.
 */
export function sentTypesOf(content: readonly MediaType[]): readonly string[] {
  const ofJson = jsonTypesOf(content.map(({ name }) => name))
  const ofOtherTypes = content.filter((media) => !ofJson.includes(media.name) && !isForJson(media))
  return [...ofJson, ...ofOtherTypes.map(({ name }) => name)]
}

function isForJson({ name, schema }: MediaType): boolean {
  return isRange(name) && schema !== undefined && findMediaType([name], json) !== undefined
}

/** Returns the media types that content may have if its sender states none; ranges only if there is nothing else. */
export function usualTypesOf(content: readonly MediaType[]): readonly string[] {
  const ofJson = jsonTypesOf(content.map(({ name }) => name))
  if (ofJson.length > 0) {
    return ofJson
  }
  const sentTypes = sentTypesOf(content)
  const exact = sentTypes.filter((type) => !isRange(type))
  return exact.length > 0 ? exact : sentTypes
}

/** Returns whether content may be any bytes, as that of a range of all types without a schema. */
export function hasAnyBytes(content: readonly MediaType[]): boolean {
  const names = content.filter(isAnyBytes).map(({ name }) => name)
  return findMediaType(names, octetStream) !== undefined
}

/** Returns whether declared content is bytes of any type of a range, as that of a range without a schema is. */
export function isAnyBytes({ name, schema }: MediaType): boolean {
  return isRange(name) && schema === undefined && kindOf(name) === 'bytes'
}

/**
 * Returns how content of a media type is sent, by the declared content that it belongs to: a type of a range is no
 * stream of items, and no JSON in a range of texts. Content of any bytes is JSON where it is a value of a JSON type.
 */
export function sentKindOf(declared: MediaType | undefined, mediaType: string): ContentKind {
  const kind = kindOf(mediaType)
  if (declared === undefined || !isRange(declared.name)) {
    return kind
  }
  if (kindOf(declared.name) !== 'bytes') {
    return kindOf(declared.name)
  }
  return isAnyBytes(declared) && kind !== 'json' ? 'bytes' : kind
}
