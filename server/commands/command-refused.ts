import { PlainError } from '../plain-error.ts'

/** A command on something that is not there, or not in the state that it needs. */
export class CommandRefused extends PlainError {
  override readonly name = 'CommandRefused'
}
