import type { BodyChecks } from '../contract/body-checks.ts'
import type { NewPet } from '../store/pet-store.ts'
import type { PetRecord } from './pet-record.ts'

const lineFeed = 0x0a

/** Reads one JSON object from each line, as the service reads the body of a create; skips blank lines. */
export async function* readNdjson(
  bytes: AsyncIterable<Buffer>,
  checks: BodyChecks<NewPet>,
): AsyncGenerator<PetRecord> {
  let line = 0
  for await (const text of readLines(bytes, checks.maxBytes)) {
    line++
    if (text === undefined) yield { line, checked: { faults: [checks.tooLarge] } }
    else if (!isBlank(text)) yield { line, checked: checks.read(text) }
  }
}

// The white space of JSON, including the carriage return at the end of lines from Windows.
function isBlank(text: Buffer): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}

/** Splits bytes at line feeds; a line of more than `maxBytes` is undefined, and not kept in memory. */
async function* readLines(
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer | undefined> {
  let parts: Buffer[] = []
  let length = 0
  const add = (part: Buffer): void => {
    length += part.length
    if (length <= maxBytes) parts.push(part)
    else parts = []
  }
  const take = (): Buffer | undefined => {
    const line = length > maxBytes ? undefined : Buffer.concat(parts)
    parts = []
    length = 0
    return line
  }
  for await (const chunk of bytes) {
    let start = 0
    for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, start)) {
      add(chunk.subarray(start, at))
      yield take()
      start = at + 1
    }
    add(chunk.subarray(start))
  }
  if (length > 0) yield take()
}
