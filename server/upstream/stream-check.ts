import type { Drift } from './drift.ts'
import { ItemReader, malformedItem } from './item-reader.ts'
import type { ItemErrors } from './response-check.ts'

/** Finds where the items of a stream differ from the description, while the stream is passed on. */
export class StreamCheck {
  readonly #reader: ItemReader
  readonly #driftsOfItem: ItemErrors['driftsOf']
  /** The places that were found, each of which is reported once a stream. */
  readonly #found = new Set<string>()

  constructor(mediaType: string, { items, driftsOf }: ItemErrors, maxLength: number) {
    this.#reader = new ItemReader(mediaType, items, maxLength)
    this.#driftsOfItem = driftsOf
  }

  /** Whether items are validated: none was too long. */
  get isReading(): boolean {
    return this.#reader.isReading
  }

  /** Returns the differences that some more bytes add to those of the bytes before. */
  read(bytes: Uint8Array): readonly Drift[] {
    return this.#findNew(this.#reader.read(bytes))
  }

  /** Returns those that the end of the stream adds. */
  end(): readonly Drift[] {
    return this.#findNew(this.#reader.end())
  }

  #findNew(items: readonly unknown[]): readonly Drift[] {
    return items.flatMap((item) => this.#driftsOf(item)).filter((drift) => this.#isNew(drift))
  }

  #driftsOf(item: unknown): readonly Drift[] {
    return item === malformedItem
      ? [{ kind: 'body', pointer: '/item', rule: 'json' }]
      : this.#driftsOfItem(item)
  }

  #isNew({ pointer, rule }: Drift): boolean {
    const place = `${pointer} ${rule}`
    const isNew = !this.#found.has(place)
    this.#found.add(place)
    return isNew
  }
}
