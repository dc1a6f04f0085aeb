import { sentKindOf } from '../contract/sent-types.ts'
import { hasItems, isOfItems, kindOf } from '../description/content-kind.ts'
import type { MediaType } from '../description/description.ts'
import type { Documents } from '../description/documents.ts'
import { readExamples } from '../description/example-values.ts'
import { isXmlType } from '../description/media-types.ts'
import { findKeyword } from '../description/schemas.ts'
import { itemSchemaOf, streamItemsOf } from '../description/stream-items.ts'
import { sampleFile } from './sample-files.ts'
import { type FindSample, missingSample, type Sample } from './samples.ts'

/** How many items a stream has at least whose examples list none. */
const usualItems = 3

/** What a text or bytes are of which nothing is described. */
const usualText = 'sample'

/** The content of a response, and the name of the example that is chosen, if there is one. */
interface Wanted {
  /** The name of the content in messages. */
  readonly what: string
  readonly media: MediaType
  /** The type that is sent, which is no range. */
  readonly mediaType: string
  readonly example: string | undefined
}

/** Finds valid content: a JSON value, a text, bytes, or the items of a stream. */
export class ContentSamples {
  readonly #documents: Documents
  readonly #findSample: FindSample
  /** What stands for texts, because samples are kept by content. */
  readonly #texts = new Map<MediaType, MediaType>()
  /** What stands for streams, in the same way. */
  readonly #streams = new Map<MediaType, { readonly item: MediaType; readonly list: MediaType }>()

  constructor(documents: Documents, findSample: FindSample) {
    this.#documents = documents
    this.#findSample = findSample
  }

  /** Returns an example, or else a sample of the schema or a small file; throws an `ApiError` if there is none. */
  find(wanted: Wanted): Sample {
    const { what, media, mediaType, example } = wanted
    const kind = sentKindOf(media, mediaType)
    if (kind === 'json') {
      return this.#findSample(what, media, example)
    }
    if (isOfItems(kind)) {
      return this.#findItems(wanted)
    }

    if (isTextOfSchema(media, mediaType, this.#documents)) {
      const described = this.#texts.getOrInsertComputed(media, () => this.#readTexts(media))
      return this.#findSample(what, described, example)
    }

    const texts = readExamples(media.examples, this.#documents, 'text')
    const named = example === undefined ? undefined : texts.get(example)
    const [first] = [...texts.values()].filter((text) => typeof text === 'string')
    // An example in a description is a text, which is no valid image.
    const content = named ?? sampleFile(mediaType) ?? first
    if (content !== undefined) {
      const isBytes = kind === 'bytes' && typeof content === 'string'
      return certain(isBytes ? Buffer.from(content) : content)
    }
    if (kind === 'bytes') {
      return certain(Buffer.from(usualText))
    }
    const isPlain = kind === 'text' && !isXmlType(mediaType)
    const text = isPlain ? this.#findPlainText(what, media) : undefined
    if (text !== undefined) {
      return certain(text)
    }
    throw missingSample(what, `content of ${mediaType} needs an example that is a text`)
  }

  /** Returns a text of which no example is known, such as a number; undefined if its schema describes no text. */
  #findPlainText(what: string, media: MediaType): string | undefined {
    if (media.schema === undefined) {
      return usualText
    }
    const { value } = this.#findSample(what, media)
    return typeof value === 'object' ? undefined : String(value)
  }

  /** Returns content whose examples are the texts that are sent. */
  #readTexts(media: MediaType): MediaType {
    const texts = readExamples(media.examples, this.#documents, 'text')
    const examples = Array.from(texts, ([name, value]) => [name, { value }] as const)
    return { ...media, examples: { examples: Object.fromEntries(examples) } }
  }

  #findItems({ what, media, example }: Wanted): Sample {
    const { item, list } = this.#streams.getOrInsertComputed(media, () => this.#readItems(media))
    const examples = readExamples(media.examples, this.#documents)
    const stated = example === undefined ? [...examples.values()][0] : examples.get(example)
    if (Array.isArray(stated)) {
      return this.#findSample(what, list, example)
    }

    const { value, isValid, ofEachForm } = this.#findSample(what, item, example)
    const isAny = example === undefined && stated !== undefined
    const ofExamples = isAny ? [...examples.values()].filter(isValid) : []
    const inTurn = ofExamples.length > 0 ? ofExamples : [value]
    return {
      value: stated === undefined ? repeat(ofEachForm()) : inTurn,
      isValid: (items) => Array.isArray(items) && items.every(isValid),
    }
  }

  /** Returns content with the schema of one item, and with that of a list of them. */
  #readItems(media: MediaType) {
    const items = streamItemsOf(media, this.#documents)
    const schema = items === undefined ? true : itemSchemaOf(items, this.#documents)
    const withSchema = (value: unknown) => ({ ...media, schema: { ...media.at, value } })
    return { item: withSchema(schema), list: withSchema({ type: 'array', items: schema }) }
  }
}

/** Returns whether content is a text that its schema describes, and no XML, of which any sample would be none. */
function isTextOfSchema(media: MediaType, mediaType: string, documents: Documents): boolean {
  const hasExamples = readExamples(media.examples, documents, 'text').size > 0
  const isSampled = hasExamples || !isXmlType(mediaType)
  const type = findKeyword(media.schema, 'type', documents)?.value
  return isSampled && kindOf(mediaType) === 'text' && type === 'string'
}

/** Returns items in turn, until there are as many as usual. */
function repeat(items: readonly unknown[]): readonly unknown[] {
  const times = Math.ceil(usualItems / items.length)
  const rounds: readonly (readonly unknown[])[] = Array(times).fill(items)
  return rounds.flat()
}

/** Returns a sample of content that is not validated. */
function certain(value: unknown): Sample {
  return { value, isValid: (other) => other === value }
}

/** Returns a sample as the body of a response. */
export function toBody(sample: unknown, mediaType: string): unknown {
  return hasItems(mediaType) && Array.isArray(sample) ? streamOf(sample) : sample
}

/** Sends items, and ends. */
async function* streamOf(items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items
}
