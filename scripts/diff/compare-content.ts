import { isDeepStrictEqual } from 'node:util'
import { type ContentKind, kindOf } from '../../server/description/content-kind.ts'
import type { MediaType } from '../../server/description/description.ts'
import { type FormField, formFieldsOf } from '../../server/description/form-fields.ts'
import { type JsonObject, toObject } from '../../server/description/json.ts'
import type { Located, Location } from '../../server/description/location.ts'
import { findMediaType } from '../../server/description/media-types.ts'
import { isUsuallyExploded } from '../../server/description/parameter-form.ts'
import { toChild } from '../../server/description/pointer.ts'
import { streamItemsOf } from '../../server/description/stream-items.ts'
import type { Places, Recorder } from './recorder.ts'
import type { Pair } from './words.ts'

/** A media type before and after. */
export interface MediaTypes {
  readonly base: MediaType
  readonly current: MediaType
}

/** What content is of: the first part of the ID of a rule, and the words for it. */
export interface ContentOwner {
  readonly direction: 'request-body' | 'response'
  readonly subject: string
}

/** Schemas before and after. */
export interface SchemaPair {
  readonly base: Located | undefined
  readonly current: Located | undefined
}

/**
 * Compares how the items of a stream are written, and returns the schemas of one item; undefined for content
 * that is no stream.
 */
export function compareStreams(
  pair: Pair,
  recorder: Recorder,
  { base, current }: MediaTypes,
  { direction, subject }: ContentOwner,
): SchemaPair | undefined {
  const before = streamItemsOf(base, pair.base.documents)
  const after = streamItemsOf(current, pair.current.documents)
  if (before === undefined || after === undefined) {
    return undefined
  }

  const isSame =
    before.isWholeEvent === after.isWholeEvent && before.isJsonData === after.isJsonData
  if (!isSame) {
    const at = { base: base.at, current: current.at }
    recorder.record(`${direction}-items-form-changed`, { subject }, at)
  }
  return { base: before.schema, current: after.schema }
}

/** Compares how the content of a body is divided into fields or parts. */
export function compareEncodings(
  pair: Pair,
  recorder: Recorder,
  types: MediaTypes,
  { direction, subject }: ContentOwner,
): void {
  const { base, current } = types
  const isForm = direction === 'request-body' && isOfForms(base) && isOfForms(current)
  const fields = isForm ? pairFields(pair, types) : []
  for (const field of fields) {
    new FieldComparison(pair, recorder, kindOf(current.name), field).compare()
  }

  const names = new Set(fields.map(({ base: { name } }) => name))
  const [before, after] = [base, current].map(({ encoding }) => otherEncodings(encoding, names))
  if (!isDeepStrictEqual(before, after)) {
    const at = { base: base.at, current: current.at }
    recorder.record(`${direction}-encoding-changed`, { subject }, at)
  }
}

function isOfForms({ name }: MediaType): boolean {
  const kind = kindOf(name)
  return kind === 'form' || kind === 'multipart'
}

/** A field of a form before and after. */
interface Fields {
  readonly base: FormField
  readonly current: FormField
}

/** Returns the fields that both forms have. */
function pairFields(pair: Pair, { base, current }: MediaTypes): readonly Fields[] {
  const before = formFieldsOf(base, pair.base.documents)
  const after = new Map(
    formFieldsOf(current, pair.current.documents).map((field) => [field.name, field] as const),
  )
  return before.flatMap((field) => {
    const same = after.get(field.name)
    return same === undefined ? [] : [{ base: field, current: same }]
  })
}

/** The members of an encoding that are compared with the field that has it. */
const comparedOfFields: readonly string[] = ['contentType', 'style', 'explode']

/** Returns what encodings say beside what is compared of the fields with some names. */
function otherEncodings(encoding: unknown, names: ReadonlySet<string>): JsonObject {
  const entries = Object.entries(toObject(encoding)).flatMap(([name, value]) => {
    const members = Object.entries(toObject(value))
    const otherMembers = names.has(name)
      ? members.filter(([key]) => !comparedOfFields.includes(key))
      : members
    return otherMembers.length === 0 ? [] : [[name, Object.fromEntries(otherMembers)] as const]
  })
  return Object.fromEntries(entries)
}

/** Compares how one field of a form is sent; its schema is compared with that of the form. */
class FieldComparison {
  readonly #pair: Pair
  readonly #recorder: Recorder
  readonly #kind: ContentKind
  readonly #base: FormField
  readonly #current: FormField

  constructor(pair: Pair, recorder: Recorder, kind: ContentKind, { base, current }: Fields) {
    this.#pair = pair
    this.#recorder = recorder
    this.#kind = kind
    this.#base = base
    this.#current = current
  }

  compare(): void {
    const [before, after] = [this.#base, this.#current].map((field) => this.#formOf(field))
    if (!isDeepStrictEqual(before, after)) {
      const facts = { subject: this.#subject }
      this.#recorder.record('request-body-field-form-changed', facts, this.#places)
    }
    if (this.#kind === 'multipart') {
      this.#compareMediaTypes()
      this.#compareSizes()
    }
  }

  get #places(): Places {
    return { base: this.#base.schema, current: this.#current.schema }
  }

  get #subject(): string {
    return this.#pair.nameOf(this.#places)
  }

  #formOf({ content, style = 'form', explode = isUsuallyExploded(style) }: FormField): unknown {
    return this.#kind === 'form' ? { content, style, explode } : { content }
  }

  #compareMediaTypes(): void {
    const [before, after] = [this.#base.mediaTypes, this.#current.mediaTypes]
    const removed = uncovered(before, after)
    const added = uncovered(after, before)
    const subject = this.#subject
    for (const mediaType of removed) {
      const facts = { subject, mediaType }
      this.#recorder.record('request-body-field-media-type-removed', facts, this.#places)
    }
    for (const mediaType of added) {
      const facts = { subject, mediaType }
      this.#recorder.record('request-body-field-media-type-added', facts, this.#places)
    }
  }

  #compareSizes(): void {
    const [before, after] = [this.#base.maxBytes, this.#current.maxBytes]
    if (before === after) {
      return
    }
    const isLower = (after ?? Infinity) < (before ?? Infinity)
    const id = `request-body-field-max-bytes-${isLower ? 'decreased' : 'increased'}` as const
    const places = { base: below(this.#base.schema), current: below(this.#current.schema) }
    this.#recorder.record(id, { subject: this.#subject, before, after }, places)
  }
}

/** Returns the media types of a list that another list does not have; an empty list has all. */
function uncovered(types: readonly string[], otherTypes: readonly string[]): readonly string[] {
  const allowed = types.length === 0 ? ['*/*'] : types
  const allowedByOthers = otherTypes.length === 0 ? ['*/*'] : [...otherTypes]
  return allowed.filter((type) => {
    return !allowedByOthers.includes(type) && findMediaType(allowedByOthers, type) === undefined
  })
}

function below({ file, pointer }: Location): Location {
  return { file, pointer: toChild(pointer, 'x-max-bytes') }
}
