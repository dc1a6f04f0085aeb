import { PlainError } from '../plain-error.ts'

/** A command that was typed wrong; the message is one line that says how to type it. */
export class UsageError extends PlainError {
  override readonly name = 'UsageError'
}
