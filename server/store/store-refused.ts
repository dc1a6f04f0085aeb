import { PlainError } from '../plain-error.ts'

/** A store that cannot be opened; the message says why and what to do, without any password. */
export class StoreRefused extends PlainError {
  override readonly name = 'StoreRefused'
}
