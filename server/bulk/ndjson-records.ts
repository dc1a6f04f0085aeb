import type { BodyChecks } from '../contract/body-checks.ts'
import type { NewPet } from '../store/pet-store.ts'
import { linesOf } from './lines.ts'
import type { ReadRecords } from './record.ts'

/** Reads lines of JSON, each as the service reads the body of a create; blank lines are nothing. */
export function createNdjsonReader(checks: BodyChecks<NewPet>): ReadRecords {
  return async function* read(bytes) {
    for await (const { number: line, text } of linesOf(bytes, checks.maxBytes)) {
      if (text === undefined) yield { line, checked: { faults: [checks.tooLarge] } }
      else if (!isBlank(text)) yield { line, checked: checks.read(text) }
    }
  }
}

// White space of JSON: a carriage return, which ends lines on Windows, among it.
function isBlank(text: Buffer): boolean {
  return text.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
