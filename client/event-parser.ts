/** A server-sent event, with the fields that were sent. */
export interface ParsedEvent {
  readonly data?: string
  readonly event?: string
  readonly id?: string
  /** Milliseconds until a client reconnects. */
  readonly retry?: number
}

/** Reads a stream of server-sent events (HTML, section 9.2.6), in parts that may end anywhere. */
export class EventParser {
  readonly #decoder = new TextDecoder()
  /** The line that has not ended. */
  #line = ''
  #endsWithReturn = false
  #fields: { -readonly [Name in keyof ParsedEvent]: ParsedEvent[Name] } = {}

  /** Returns the events that a part of the stream ends, those without data among them. */
  read(part: Uint8Array): readonly ParsedEvent[] {
    let text = this.#decoder.decode(part, { stream: true })
    if (text === '') {
      return []
    }
    if (this.#endsWithReturn && text.startsWith('\n')) {
      text = text.slice(1)
    }
    this.#endsWithReturn = text === '' ? false : text.endsWith('\r')

    const lines = text.split(/\r\n|\r|\n/)
    const unfinished = lines.pop() ?? ''
    const events: ParsedEvent[] = []
    for (const line of lines) {
      const wholeLine = this.#line + line
      this.#line = ''
      if (wholeLine === '') {
        this.#end(events)
      } else {
        this.#readField(wholeLine)
      }
    }
    this.#line += unfinished
    return events
  }

  /** Ends an event. Lines without a field, such as a comment, are no event. */
  #end(events: ParsedEvent[]): void {
    if (Object.keys(this.#fields).length > 0) {
      events.push(this.#fields)
    }
    this.#fields = {}
  }

  #readField(line: string): void {
    const [name = '', ...valueParts] = line.split(':')
    const value = valueParts.join(':').replace(/^ /, '')
    const fields = this.#fields
    if (name === 'data') {
      fields.data = fields.data === undefined ? value : `${fields.data}\n${value}`
    } else if (name === 'event') {
      fields.event = value
    } else if (name === 'id' && !value.includes('\0')) {
      fields.id = value
    } else if (name === 'retry' && /^\d+$/.test(value)) {
      fields.retry = Number(value)
    }
  }
}
