import { OperatorError } from '../process/operator-error.ts'

/** Reports that a store cannot be opened or replaced. The message says why and what to do, without any password. */
export class StoreError extends OperatorError {
  override readonly name = 'StoreError'
}

/** Reports that the store cannot respond now; the same request may succeed later. */
export class StoreUnavailable extends OperatorError {
  override readonly name = 'StoreUnavailable'
}

/** Reports that another instance is creating a row with the same idempotency key. */
export class KeyInUse extends Error {}

/** Reports that a row with the same unique values exists; nothing was stored. */
export class UniqueViolation extends Error {}
