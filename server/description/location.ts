/** Where something is written. */
export interface Location {
  readonly file: string
  /** A JSON Pointer in a URI fragment, such as `#/paths/~1orders`. */
  readonly pointer: string
}

/** A value of a description, and where it is written. */
export interface Located extends Location {
  readonly value: unknown
}

/** A value that a description states, and where it states it. */
export interface Fact<Value> {
  readonly value: Value
  readonly at: Location
}

/** Returns a location as a key of a map. */
export function toKey({ file, pointer }: Location): string {
  return `${file}${pointer}`
}
