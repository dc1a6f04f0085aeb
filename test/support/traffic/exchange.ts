/** A name and a value, as HAR 1.2 writes headers. */
export interface Field {
  readonly name: string
  readonly value: string
}

/** One request of a test and its answer. */
export interface Exchange {
  /** The test file and the name of the test. */
  readonly test: string
  readonly method: string
  readonly url: string
  readonly requestHeaders: readonly Field[]
  /** Only where the request succeeded: what was refused is not judged. */
  readonly requestBody?: string
  /** False where the body is not here as text: a stream is gone once it is sent, or it was compressed. */
  readonly isRequestWhole: boolean
  readonly status: number
  readonly headers: readonly Field[]
  readonly body: string
  /** Headers that the configuration of the service leaves out. */
  readonly waived: readonly string[]
}

/** An exchange in a line of a message. */
export function describeExchange({ test, method, url, status }: Exchange): string {
  const { pathname, search } = new URL(url)
  return `${method} ${pathname}${search} answered ${status} in ${test}`
}

/** The value of a header, whose name may be written in any case. */
export function headerValue(fields: readonly Field[], name: string): string | undefined {
  return fields.find((field) => field.name.toLowerCase() === name.toLowerCase())?.value
}
