import { isJsonSequence, kindOf, recordSeparator } from '../description/content-kind.ts'
import type { StreamItems } from '../description/stream-items.ts'

/** Stands for an item that is not JSON, although it should be. */
export const malformedItem = Symbol('malformed item')

/** Reads the items of a stream from its bytes, as they arrive. */
export class ItemReader {
  readonly #decoder = new TextDecoder()
  readonly #separator: RegExp | string
  readonly #toItems: (text: string) => readonly unknown[]
  readonly #maxLength: number
  readonly #isEvents: boolean
  #rest = ''

  /** An item of more than `maxLength` characters ends the reading. */
  constructor(mediaType: string, items: StreamItems, maxLength: number) {
    const isEvents = kindOf(mediaType) === 'events'
    this.#separator = isEvents ? blankLine : separatorOf(mediaType)
    this.#toItems = isEvents ? (text) => readEvent(text, items) : readValue
    this.#isEvents = isEvents
    this.#maxLength = maxLength
  }

  /** Whether items are read: none was too long. */
  get isReading(): boolean {
    return this.#rest.length <= this.#maxLength
  }

  /** Returns the items that are complete with some more bytes. */
  read(bytes: Uint8Array): readonly unknown[] {
    if (!this.isReading) {
      return []
    }

    const text = this.#rest + this.#decoder.decode(bytes, { stream: true })
    const parts = text.split(this.#separator)
    this.#rest = parts.pop() ?? ''
    return parts.flatMap(this.#toItems)
  }

  /** Returns the item at the end of the stream that no separator follows. An event without one does not count. */
  end(): readonly unknown[] {
    return this.#isEvents || !this.isReading ? [] : this.#toItems(this.#rest)
  }
}

/** What ends an event. */
const blankLine = /(?:\r\n|\r(?!\n)|\n){2}/

function separatorOf(mediaType: string): string {
  return isJsonSequence(mediaType) ? recordSeparator : '\n'
}

function readValue(text: string): readonly unknown[] {
  return text.trim() === '' ? [] : [parse(text)]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return malformedItem
  }
}

/** Reads the fields of an event (HTML, section 9.2.6); none if it has no data. */
function readEvent(text: string, items: StreamItems): readonly unknown[] {
  const lines = text.split(/\r\n|\r|\n/)
  const values = (name: string) =>
    lines.filter((line) => line.startsWith(`${name}:`)).map((line) => fieldValue(line, name))
  const data = values('data')
  if (data.length === 0) {
    return []
  }

  const value = readData(data.join('\n'), items)
  if (value === malformedItem || !items.isWholeEvent) {
    return [value]
  }
  const [event, id, retry] = ['event', 'id', 'retry'].map((name) => values(name).at(-1))
  return [
    {
      data: value,
      ...(event === undefined ? {} : { event }),
      ...(id === undefined ? {} : { id }),
      ...(retry === undefined ? {} : { retry: Number(retry) }),
    },
  ]
}

function fieldValue(line: string, name: string): string {
  return line.slice(name.length + 1).replace(/^ /, '')
}

function readData(text: string, { isJsonData, hasTextData }: StreamItems): unknown {
  const value = isJsonData ? parse(text) : text
  return value === malformedItem && hasTextData ? text : value
}
