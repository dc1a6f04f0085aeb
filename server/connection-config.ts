/** What a connection may take of the service. */
export interface ConnectionConfig {
  /** Open connections at most. */
  readonly most: number
  /** Those among them from one address, where no proxy stands in front. */
  readonly perAddress: number
  /** Seconds until the header section of a request is there. */
  readonly headersSeconds: number
  /** Seconds until all of a request is there. */
  readonly requestSeconds: number
  /** Seconds until all of a request is there and all of its answer is taken. */
  readonly exchangeSeconds: number
  /** Seconds without a request. */
  readonly idleSeconds: number
}
