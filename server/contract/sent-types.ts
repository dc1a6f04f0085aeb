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
  const ranges = content.filter(({ name, schema }) => isRange(name) && schema === undefined)
  const names = ranges.map(({ name }) => name)
  return findMediaType(names, octetStream) !== undefined
}
