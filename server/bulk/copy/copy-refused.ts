import { PlainError } from '../../plain-error.ts'

/** A copy that would mix two stores, or that cannot come to an end. */
export class CopyRefused extends PlainError {
  override readonly name = 'CopyRefused'
}
