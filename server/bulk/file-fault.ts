import { PlainError } from '../plain-error.ts'

/** A file that cannot be imported at all; the message says where and why. */
export class FileFault extends PlainError {
  override readonly name = 'FileFault'
}
