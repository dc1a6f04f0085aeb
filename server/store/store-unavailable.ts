/** The store cannot answer now; the same request may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}
