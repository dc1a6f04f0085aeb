import { PlainError } from '../plain-error.ts'

/** The store cannot answer now; the same request may succeed later. */
export class StoreUnavailable extends PlainError {
  override readonly name = 'StoreUnavailable'
}

/** The store was lost on the way: what was asked may have been done or not. */
export class OutcomeUnknown extends StoreUnavailable {}
