/** Returns a value as a literal of TypeScript; `undefined` is omitted. */
export function printLiteral(value: unknown): string {
  return (
    JSON.stringify(value, undefined, 2)
      // As a plain key, even a quoted one, this would set the prototype.
      .replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:')
      // The type of a quoted key is a string.
      .replaceAll(/^( *)"(0|[1-9]\d{0,14})":/gm, '$1$2:')
  )
}
