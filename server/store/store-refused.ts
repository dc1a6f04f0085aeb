/** A store that cannot be opened; the message says why and what to do, without any password. */
export class StoreRefused extends Error {
  override readonly name = 'StoreRefused'
}
