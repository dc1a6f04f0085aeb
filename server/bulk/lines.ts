import type { Bytes } from './record.ts'

const lineFeed = 0x0a

/** One line of a file, without its end; without its text where that is longer than it may be. */
export interface Line {
  readonly number: number
  readonly text: Buffer | undefined
}

/** Cuts bytes at line feeds, and keeps no more than `longest` bytes of a line. */
export async function* linesOf(bytes: Bytes, longest: number): AsyncGenerator<Line> {
  let number = 0
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer): void => {
    length += part.length
    if (length <= longest) parts.push(part)
    else parts = []
  }
  const end = (): Line => {
    const line = { number: ++number, text: length > longest ? undefined : Buffer.concat(parts) }
    parts = []
    length = 0
    return line
  }
  for await (const chunk of bytes) {
    let start = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, at))
      yield end()
      start = at + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield end()
}
